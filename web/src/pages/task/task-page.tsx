/** One task: its verdict in a line, what proves it on the left, what it changes on the right. */
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { WorkerRow } from '../../../../src/protocol/answers.ts'
import type { TaskAnswer } from '../../../../src/protocol/task-answer.ts'
import { isMissing } from '../../api/client.ts'
import { markDiffOpened, wasDiffOpened } from '../../api/person.ts'
import { useSnapshot, useTask, useTaskDiff } from '../../api/queries.ts'
import { PlanLink, WorkerLink, MissingPlan } from '../../shell/links.tsx'
import { needsOf, type Need } from '../../shell/needs-you.ts'
import { SectionBoundary } from '../../shell/page-states.tsx'
import { Page } from '../../shell/page.tsx'
import { useRepo } from '../../shell/use-search.ts'
import { Badge, TONE } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { Section } from '../../ui/list.tsx'
import { HealthMark, StageMark } from '../../ui/marks.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { HeadingSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { AnsweredElsewhere, useElsewhere } from '../needs-you/use-elsewhere.tsx'
import { Criteria, Gates } from './proof.tsx'
import { DecisionCard, PauseCard } from './decision-card.tsx'
import { Attempts, Contract, Decisions, RecordPart, Reviews } from './parts.tsx'
import { loadDiffView, TaskDiff, type DiffQuery } from './task-diff.tsx'
import { criteriaWords, gatedWords, verdictLine } from './verdict.ts'

/** The proof beside the diff; in a narrow window each has half. */
const COLUMNS =
  'lg:grid-cols-[minmax(360px,1fr)_minmax(0,1fr)] xl:grid-cols-[minmax(360px,460px)_minmax(0,1fr)]'

export function TaskPage() {
  const { plan = '', task = '' }: { readonly plan?: string; readonly task?: string } = useParams({
    strict: false,
  })
  const repo = useRepo()
  const answer = useTask(plan, task, repo)
  // Asked for now, so that it need not wait for the task.
  const diff = useTaskDiff(plan, task, repo)
  useEffect(loadDiffView, [])
  const retry = (): void => {
    void answer.refetch()
    if (diff.isError) void diff.refetch()
  }
  const title = `Task ${task}`
  if (answer.isPending) {
    return (
      <Page title={title} width="full" heading={<Heading plan={plan} repo={repo} id={task} title={null} />}>
        <Skeleton className="h-6 w-96 max-w-full" />
        <div className={`grid gap-6 ${COLUMNS}`}>
          <Skeleton rows={8} />
          <Skeleton className="h-[70vh]" />
        </div>
      </Page>
    )
  }
  if (answer.isLoadingError) {
    return (
      <Page title={title}>
        {isMissing(answer.error) ? (
          <MissingTask plan={plan} task={task} repo={repo} />
        ) : (
          <ErrorState what={`task ${task}`} error={answer.error} onRetry={retry} />
        )}
      </Page>
    )
  }
  return <TaskBody key={`${plan} ${task}`} task={answer.data} diff={diff} />
}

function TaskBody({ task, diff }: { readonly task: TaskAnswer; readonly diff: DiffQuery }) {
  // Of the item that was open when it was seen: the diff of a later attempt is another one.
  const [seenFor, setSeenFor] = useState<string | null>(null)
  const worker = useRunningWorker(task)
  const verdict = verdictLine(task)
  const needs = useOpenNeeds(task)
  const item = needs === null ? (task.item ?? null) : (needs[0]?.item.id ?? null)
  const { elsewhere, on, dismiss, watch } = useElsewhere(needs ?? NO_NEEDS, stayHere, 'answers')
  useEffect(() => watch(needs?.[0]?.key ?? null), [needs, watch])
  const isDiffOpened = item !== null && (seenFor === item || wasDiffOpened(task.repo, task.plan, item))
  const seeDiff = (): void => {
    if (item === null) return
    markDiffOpened(task.repo, task.plan, item)
    setSeenFor(item)
  }
  return (
    <Page
      title={`${task.id} ${task.title}`}
      width="full"
      heading={<Heading plan={task.plan} repo={task.repo} id={task.id} title={task.title} />}
    >
      <div className="-mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <StageMark status={task.status} stage={task.stage} />
        <span className="text-muted">
          for <Time at={task.since} as="since" />
        </span>
        <Badge title={task.contract.tier_reasons.join('; ')}>{task.tier} tier</Badge>
        {task.attempt > 0 && <Badge>attempt {task.attempt}</Badge>}
        {worker !== null && (
          <span className="inline-flex items-center gap-2 border-l pl-4">
            <WorkerLink worker={worker.id} repo={task.repo} />
            <HealthMark health={worker.health} />
          </span>
        )}
      </div>
      <p
        className={cx('flex gap-2 border-l-2 border-current pl-3 text-lg', TONE[verdict.tone])}
        data-testid="verdict"
      >
        <span className="text-text">
          <PlainText text={verdict.text} />
        </span>
      </p>
      <div className={`grid items-start gap-6 ${COLUMNS}`}>
        <div className="flex min-w-0 flex-col gap-6">
          {elsewhere.map((one) => (
            <AnsweredElsewhere key={one.key} answered={one} onDismiss={() => dismiss(one.key)} />
          ))}
          {item !== null && <DecisionCard item={item} repo={task.repo} isDiffOpened={isDiffOpened} on={on} />}
          <Section
            title="Acceptance criteria"
            count={task.attempt === 0 ? undefined : criteriaWords(task.criteria)}
          >
            <SectionBoundary what="the criteria">
              <Criteria task={task} />
            </SectionBoundary>
          </Section>
          <Section title="Gates" count={gatedWords(task)}>
            <SectionBoundary what="the gates">
              <Gates gates={task.gates} />
            </SectionBoundary>
          </Section>
          <SectionBoundary what="the rest of the task">
            <div>
              <Reviews task={task} />
              <Attempts task={task} />
              <Contract task={task} />
              <Decisions task={task} />
              <RecordPart task={task} />
            </div>
          </SectionBoundary>
          {item === null && task.status !== 'completed' && <PauseCard plan={task.plan} repo={task.repo} />}
        </div>
        <TaskDiff diff={diff} id={`task:${task.plan}:${task.id}`} item={item} onOpened={seeDiff} />
      </div>
    </Page>
  )
}

/** As high while its title is loaded, so that nothing moves when it arrives. */
function Heading({
  plan,
  repo,
  id,
  title,
}: {
  readonly plan: string
  readonly repo: string | undefined
  readonly id: string
  /** Null while it is not known. */
  readonly title: string | null
}) {
  return (
    <span className="flex flex-col gap-1">
      <span className="flex flex-wrap items-center gap-x-2 text-xs font-normal text-muted">
        <PlanLink plan={plan} repo={repo} /> <span aria-hidden="true">/</span>
        <span className="font-mono text-mono">
          <PlainText text={id} />
        </span>
      </span>
      {title === null ? <HeadingSkeleton name={`Task ${id}`} /> : <PlainText text={title} />}
    </span>
  )
}

type ItemNeed = Extract<Need, { readonly kind: 'item' }>
const NO_NEEDS: readonly ItemNeed[] = []
/** Nothing opens in the place of an item that another person answered. */
const stayHere = (): void => undefined

/** What is asked about it; null before it is known. The snapshot knows of a new item first. */
function useOpenNeeds({ plan, repo, id }: TaskAnswer): readonly ItemNeed[] | null {
  const { data } = useSnapshot()
  return useMemo(() => {
    if (data === undefined) return null
    return needsOf(data)
      .filter((need) => need.kind === 'item')
      .filter(({ item }) => item.plan === plan && item.task === id && item.repo === repo)
  }, [data, plan, repo, id])
}

/** The worker that runs for it; its health is the worker's, not the task's. */
function useRunningWorker({ plan, repo, id }: TaskAnswer): WorkerRow | null {
  const { data } = useSnapshot()
  return (
    data?.workers.find(
      (one) => one.plan === plan && one.task === id && (one.repo === null || one.repo === repo),
    ) ?? null
  )
}

/** Where the plan itself is unknown, it says that. */
function MissingTask({
  plan,
  task,
  repo,
}: {
  readonly plan: string
  readonly task: string
  readonly repo: string | undefined
}) {
  const { data } = useSnapshot()
  if (data !== undefined && data.plans.every(({ id }) => id !== plan)) return <MissingPlan plan={plan} />
  return (
    <EmptyState
      title={`Plan “${visibleText(plan)}” has no task “${visibleText(task)}”`}
      action={
        <Link
          to="/p/$plan"
          params={{ plan }}
          search={{ ...(repo === undefined ? {} : { repo }), view: 'list' }}
          className={buttonClass('primary')}
        >
          All tasks of the plan
        </Link>
      }
    >
      The address may be mistyped, or a change of the plan has removed the task.
    </EmptyState>
  )
}
