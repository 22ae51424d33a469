/** Who is at work, those that need a look first. */
import type { MetricsAnswer, WorkerRow } from '../../../../src/protocol/answers.ts'
import { useMetrics, useSnapshot } from '../../api/queries.ts'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useKeys } from '../../shell/commands/keys.ts'
import { moveFocus } from '../../shell/commands/move-focus.ts'
import { StartLink, TaskLink } from '../../shell/links.tsx'
import { Page } from '../../shell/page.tsx'
import { useSearchValue } from '../../shell/use-search.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { formatDuration } from '../../../../src/lib/text/format-time.ts'
import { counted } from '../../../../src/lib/text/counted.ts'
import { sentence, usageText } from '../../ui/format.ts'
import { HealthMark } from '../../ui/marks.tsx'
import { ShowMore, useSteps } from '../../ui/show-more.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { useNow } from '../../ui/time.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { Clocks, Progress, TimeLeft } from './worker-facts.tsx'
import { HEALTHS, sortWorkers } from './sort-workers.ts'

export function WorkersPage() {
  const snapshot = useSnapshot()
  const metrics = useMetrics()
  const [health, setHealth] = useSearchValue('health')
  const workers = snapshot.data?.workers
  return (
    <Page title="Workers" width="full">
      <Strip
        metrics={metrics.data ?? null}
        hasFailed={metrics.isError || snapshot.isLoadingError}
        workers={workers ?? null}
        health={health}
        onHealth={setHealth}
      />
      <Loaded of={snapshot} what="the workers" skeleton={<Skeleton rows={5} className="h-20" />}>
        {(data) => (
          <Workers key={health} workers={data.workers} health={health} onAll={() => setHealth('')} />
        )}
      </Loaded>
    </Page>
  )
}

/** Rows are added by as many: every one shows clocks that run. */
const ROWS = 50

interface WorkersProps {
  readonly workers: readonly WorkerRow[]
  /** Only those of this health; empty for all. */
  readonly health: string
  readonly onAll: () => void
}

function Workers({ workers: all, health, onAll }: WorkersProps) {
  const workers = health === '' ? all : all.filter((worker) => worker.health === health)
  const list = useRef<HTMLUListElement>(null)
  const steps = useSteps(workers.length, ROWS)
  const move = (step: 1 | -1): void => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a[data-worker]') ?? [])]
    const { wasLast } = moveFocus(links, step)
    // The row after the last one is there with the next key.
    if (step === 1 && wasLast) steps.showMore()
  }
  useKeys('Workers', [
    { keys: 'j', label: 'Next worker; Enter opens it', run: () => move(1) },
    { keys: 'k', label: 'Previous worker', run: () => move(-1) },
  ])
  if (workers.length === 0 && all.length > 0)
    return (
      <EmptyState
        title="No worker has this health any more"
        action={<Button onClick={onAll}>All workers</Button>}
      />
    )
  if (workers.length === 0) {
    return (
      <EmptyState title="No worker is running." action={<StartLink />}>
        Workers appear here when a plan has work that is ready. The crew page shows which agents Bosun can
        use.
      </EmptyState>
    )
  }
  return (
    <>
      <ul ref={list} className="divide-y rounded-md border">
        {sortWorkers(workers)
          .slice(0, steps.shown)
          .map((worker) => (
            <WorkerEntry key={`${worker.repo} ${worker.id}`} worker={worker} />
          ))}
      </ul>
      <ShowMore steps={steps} total={workers.length} what="workers, those that need a look first" />
    </>
  )
}

function WorkerEntry({ worker }: { readonly worker: WorkerRow }) {
  const now = useNow()
  const used = usageText(worker.usage)
  const { warnings, interventions } = worker
  // What its health already says is not repeated.
  const issues = worker.issues.filter((issue) => !worker.reason.includes(issue))
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 hover:bg-sub lg:grid-cols-[minmax(0,1fr)_240px_232px]">
      <div className="flex min-w-0 flex-col gap-1">
        <Link
          data-worker=""
          to="/workers/$id"
          params={{ id: worker.id }}
          search={worker.repo === null ? {} : { repo: worker.repo }}
          className="line-clamp-2 font-medium underline-offset-2 hover:underline"
        >
          <PlainText text={worker.task_title ?? worker.id} />
        </Link>
        <p className="flex items-start gap-x-2">
          <HealthMark health={worker.health} />
          <PlainText text={sentence(worker.reason)} className="min-w-0 text-muted" />
        </p>
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
          <PlainText text={worker.id} className="font-mono text-mono" />
          {worker.plan !== null && worker.task !== null && (
            <TaskLink plan={worker.plan} task={worker.task} repo={worker.repo} className="hover:text-text">
              task {visibleText(worker.task)} of {visibleText(worker.plan)}
            </TaskLink>
          )}
          <span>
            {worker.role}, attempt {worker.attempt}
          </span>
          {typeof worker.agent === 'string' && (
            <PlainText
              text={[worker.agent, worker.model].filter((text) => typeof text === 'string').join(' · ')}
            />
          )}
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <Progress worker={worker} />
        {issues.length > 0 && (
          <p className="text-warn">
            Reports: <PlainText text={issues.join('; ')} />
          </p>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-1 text-xs leading-5">
        <Clocks worker={worker} />
        <TimeLeft worker={worker} now={now} />
        <p className="flex flex-wrap gap-x-3 text-muted">
          {used !== null && <span>{used}</span>}
          {warnings.length > 0 && (
            <span title={warnings.join('\n')}>{counted(warnings.length, 'warning')} sent</span>
          )}
          {interventions.length > 0 && (
            <span className="text-warn" title={interventions.join('\n')}>
              {counted(interventions.length, 'intervention')}
            </span>
          )}
        </p>
      </div>
    </li>
  )
}

/** Figures that lead somewhere: what is monitored, how it is, how it went. */
function Strip({
  metrics,
  hasFailed,
  workers,
  health: chosen,
  onHealth,
}: {
  readonly metrics: MetricsAnswer | null
  readonly hasFailed: boolean
  readonly workers: readonly WorkerRow[] | null
  /** Whose workers are shown; empty for all. */
  readonly health: string
  readonly onHealth: (health: string) => void
}) {
  const watch = metrics?.watch ?? null
  const unknown = hasFailed ? '?' : '…'
  const active = Object.entries(watch?.interventions_active ?? {}).filter(([, count]) => count > 0)
  return (
    <dl
      // The line before the first figure of a row lies outside, where it is cut off.
      className="grid grid-cols-2 gap-y-3 overflow-hidden rounded-md border py-3 text-sm sm:flex sm:flex-wrap sm:items-stretch"
      data-testid="strip"
    >
      <Figure name="Running" value={workers === null ? unknown : String(workers.length)} />
      <Figure
        name="Health"
        isWide
        value={
          metrics === null ? (
            unknown
          ) : (
            <span className="flex flex-wrap gap-x-4 gap-y-1 text-sm font-normal">
              {HEALTHS.map((health) => ({ health, count: countOf(metrics.workers, health) }))
                .filter(({ health, count }) => count > 0 || health === 'healthy' || health === 'stalled')
                .map(({ health, count }) => (
                  <HealthCount
                    key={health}
                    health={health}
                    count={count}
                    isChosen={health === chosen}
                    onChoose={
                      workers?.some((worker) => worker.health === health) === true
                        ? () => onHealth(health === chosen ? '' : health)
                        : null
                    }
                  />
                ))}
            </span>
          )
        }
      />
      <Figure
        name="Success, 24h"
        title="Tasks whose work landed, of those and of workers that failed, within 24 hours"
        value={
          watch === null
            ? unknown
            : watch.success_rate === null
              ? 'none yet'
              : `${Math.round(watch.success_rate)} %`
        }
        note={watch === null ? undefined : `${watch.completed} landed, ${watch.failed} failed`}
      />
      <Figure
        name="Mean time"
        title="From launch to completion, of workers that completed within 24 hours"
        value={
          watch === null
            ? unknown
            : watch.mean_completion_ms === null
              ? 'none yet'
              : formatDuration(watch.mean_completion_ms)
        }
      />
      <Figure
        name="Interventions in effect"
        value={watch === null ? unknown : String(active.reduce((sum, [, count]) => sum + count, 0))}
        note={
          active
            .map(([kind, count]) => `${count} ${INTERVENTIONS[kind] ?? kind.replaceAll('_', ' ')}`)
            .join(', ') || undefined
        }
      />
    </dl>
  )
}

/** What was done about them, after a count. */
const INTERVENTIONS: Readonly<Record<string, string>> = {
  warn: 'warned',
  remind: 'reminded',
  nudge: 'nudged',
  help: 'helped',
  escalate: 'asked about',
  extend: 'extended',
  finish: 'being ended',
  restart: 'being replaced',
  kill: 'being stopped',
}

/** Shows only those, and all again; one that no running worker has leads nowhere. */
function HealthCount({
  health,
  count,
  isChosen,
  onChoose,
}: {
  readonly health: string
  readonly count: number
  readonly isChosen: boolean
  readonly onChoose: (() => void) | null
}) {
  const words = (
    <>
      <span className="font-semibold">{count}</span>
      <HealthMark health={health} />
    </>
  )
  if (onChoose === null) return <span className="inline-flex min-h-6 items-center gap-1.5">{words}</span>
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={isChosen ? 'Show all workers' : 'Show only these'}
      onClick={onChoose}
      className="-mx-1 inline-flex min-h-6 items-center gap-1.5 rounded-sm px-1 underline-offset-2 hover:bg-hover aria-pressed:bg-selected aria-pressed:underline"
    >
      {words}
    </button>
  )
}

const countOf = (counts: Readonly<Record<string, number>>, health: string): number => counts[health] ?? 0

function Figure({
  name,
  value,
  note,
  title,
  isWide = false,
}: {
  readonly name: string
  readonly value: React.ReactNode
  /** On a phone it has a line of its own. */
  readonly isWide?: boolean
  readonly note?: string | undefined
  readonly title?: string
}) {
  return (
    <div
      className={cx(
        '-ml-px flex flex-col gap-0.5 border-l px-4 max-sm:border-l-0',
        isWide && 'max-sm:order-first max-sm:col-span-2',
      )}
      title={title}
    >
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-lg font-semibold tabular-nums">{value}</span>
        {note !== undefined && <span className="text-xs text-muted">{note}</span>}
      </dd>
    </div>
  )
}
