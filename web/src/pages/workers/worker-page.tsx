/** One worker: how it is, what it says and does, what it has changed, and what a person can do about it. */
import { Link, useParams } from '@tanstack/react-router'
import type { WorkerAnswer, WorkerRow } from '../../../../src/protocol/answers.ts'
import { useSnapshot, useWorker, useWorkerDiff } from '../../api/queries.ts'
import { TaskLink } from '../../shell/links.tsx'
import { KIND_WORD, searchOfItem } from '../../shell/needs-you.ts'
import { SectionBoundary } from '../../shell/page-states.tsx'
import { Page } from '../../shell/page.tsx'
import { useRepo, useSearchValue } from '../../shell/use-search.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { sentence, usageRule, usageText } from '../../ui/format.ts'
import { HealthMark } from '../../ui/marks.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { Time, useNow } from '../../ui/time.tsx'
import { DIFF_OF, DiffOrNothing } from '../task/task-diff.tsx'
import { EndCard, EndMark, Clocks, Progress, TaskName, TimeLeft } from './worker-facts.tsx'
import { Journal } from './journal.tsx'
import { Transcript } from './transcript.tsx'
import { WorkerActions } from './worker-actions.tsx'
import { Fact, FactLines } from '../../ui/list.tsx'

type Tab = 'transcript' | 'journal' | 'diff'

export function WorkerPage() {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false })
  const repo = useRepo()
  const answer = useWorker(id, repo)
  const now = useLiveRow(id, repo) ?? answer.data?.now ?? null
  const [tab, setTab] = useSearchValue('tab', 'transcript')
  if (answer.data === undefined) {
    return (
      <Page title={id}>
        <Loaded
          of={answer}
          what={`worker ${id}`}
          missing={<MissingWorker worker={id} />}
          skeleton={<Skeleton rows={8} />}
        >
          {() => null}
        </Loaded>
      </Page>
    )
  }
  const worker = answer.data
  return (
    <Page
      title={id}
      width="full"
      heading={
        <span className="flex flex-col gap-1">
          <span className="flex flex-wrap items-center gap-x-2 text-xs font-normal text-muted">
            <Link to="/workers" className="rounded-sm underline-offset-2 hover:underline">
              Workers
            </Link>
            <span aria-hidden="true">/</span>
            <CopyText text={id} label="the id" />
          </span>
          <PlainText text={worker.task_title ?? id} />
          <span className="text-sm font-normal">
            {now !== null ? (
              <HealthMark health={now.health} />
            ) : worker.end === null ? (
              <span className="text-muted">Ended</span>
            ) : (
              <EndMark end={worker.end} />
            )}
          </span>
        </span>
      }
      actions={
        now === null ? undefined : <WorkerActions worker={now} isTakenOver={worker.takeover !== null} />
      }
    >
      <Facts worker={worker} now={now} repo={repo} />
      <Tabs<Tab>
        label="Parts of the worker"
        value={tab === 'journal' || tab === 'diff' ? tab : 'transcript'}
        onChange={setTab}
        items={[
          {
            key: 'transcript',
            label: 'Transcript',
            content: (
              <SectionBoundary what="the transcript">
                <Transcript worker={id} repo={repo} />
              </SectionBoundary>
            ),
          },
          {
            key: 'journal',
            label: 'Journal',
            content: (
              <SectionBoundary what="the journal">
                <Journal worker={worker} repo={repo} />
              </SectionBoundary>
            ),
          },
          {
            key: 'diff',
            label: 'Diff so far',
            content: (
              <SectionBoundary what="the diff">
                <WorkerDiff worker={id} repo={repo} />
              </SectionBoundary>
            ),
          },
        ]}
      />
    </Page>
  )
}

/** From the snapshot, which the event stream keeps true. */
function useLiveRow(id: string, repo: string | undefined): WorkerRow | null {
  const { data } = useSnapshot()
  const named = (data?.workers ?? []).filter((one) => one.id === id)
  return named.find((one) => one.repo === repo) ?? named[0] ?? null
}

function Facts({
  worker,
  now,
  repo,
}: {
  readonly worker: WorkerAnswer
  readonly now: WorkerRow | null
  readonly repo: string | undefined
}) {
  const present = useNow()
  const { plan, task } = worker
  const used = usageText(now?.usage ?? null)
  return (
    <div className="-mt-2 flex flex-col gap-3">
      {now !== null && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-base">
          <PlainText text={sentence(now.reason)} />
          <ToItem worker={now} />
        </p>
      )}
      {now === null && worker.end !== null && (
        <EndCard end={worker.end} plan={plan} repo={worker.repo ?? repo} />
      )}
      {worker.takeover !== null && (
        <p className="rounded-md border p-3">
          <PlainText text={worker.takeover.by} /> works in its place
          {worker.takeover.ready ? '.' : '; it is still being stopped.'} To hand the work back:{' '}
          <CopyText text={`bosun worker open ${worker.id} --return`} />
        </p>
      )}
      <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-3 gap-y-1.5 md:grid-cols-[88px_minmax(0,1fr)_88px_minmax(0,1fr)]">
        {plan !== null && task !== null && (
          <Fact name="Task">
            <TaskLink plan={plan} task={task} repo={now?.repo ?? repo}>
              <TaskName task={task} title={worker.task_title} />
            </TaskLink>{' '}
            <PlainText text={plan} className="text-xs text-muted" />
          </Fact>
        )}
        {now !== null && (
          <>
            <Fact name="Life signs">
              <Clocks worker={now} />
            </Fact>
            <Fact name="Progress">
              <Progress worker={now} />
            </Fact>
            <Fact name="Time">
              <TimeLeft worker={now} now={present} />
            </Fact>
            <Fact name="Agent">
              <PlainText
                text={
                  [now.agent ?? '', now.model ?? ''].filter((text) => text !== '').join(' · ') || 'not known'
                }
              />
              <span className="text-muted">
                , {now.role}, attempt {now.attempt}, started <Time at={now.since} />
              </span>
            </Fact>
            {used !== null && now.usage !== null && (
              <Fact name="Used">
                <span title={usageRule(now.usage)}>{used}</span>
              </Fact>
            )}
            <FactLines
              name="Reports"
              lines={(now.issues ?? []).filter((issue) => !now.reason.includes(issue))}
            />
            <FactLines name="Warned" lines={now.warnings ?? []} />
            <FactLines name="In effect" lines={now.interventions ?? []} />
          </>
        )}
        {worker.workspace !== null && (
          <Fact name="Folder">
            <CopyText text={worker.workspace} label="the path" className="-ml-1" />
          </Fact>
        )}
        {worker.salvage !== null && (
          <Fact name="Saved at">
            <CopyText text={worker.salvage.ref} label="the ref" className="-ml-1" />
          </Fact>
        )}
      </dl>
    </div>
  )
}

/** To what is asked about it, where something is. */
function ToItem({ worker: { plan, task, repo } }: { readonly worker: WorkerRow }) {
  const { data } = useSnapshot()
  const item = data?.inbox.find((one) => one.plan === plan && one.task === task && one.repo === repo)
  if (item === undefined) return null
  return (
    <Link to="/" search={searchOfItem(item)} className={buttonClass('primary')}>
      {KIND_WORD[item.kind]} it
    </Link>
  )
}

function WorkerDiff({ worker, repo }: { readonly worker: string; readonly repo: string | undefined }) {
  return (
    <Loaded of={useWorkerDiff(worker, repo)} what="the diff" skeleton={<Skeleton className="h-96" />}>
      {(diff) => (
        <section
          aria-label="Diff so far"
          className="flex h-[calc(100dvh-380px)] min-h-96 flex-col rounded-md border"
        >
          <h2 className="border-b bg-sub px-3 py-2 text-sm font-semibold">{DIFF_OF[diff.of]}</h2>
          <DiffOrNothing diff={diff} id={`worker:${worker}`} />
        </section>
      )}
    </Loaded>
  )
}

function MissingWorker({ worker }: { readonly worker: string }) {
  return (
    <EmptyState
      title={`There is no worker “${visibleText(worker)}”`}
      action={
        <Link to="/workers" className={buttonClass('primary')}>
          All workers
        </Link>
      }
    >
      The address may be mistyped. A worker that has ended is found under its task.
    </EmptyState>
  )
}
