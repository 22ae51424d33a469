/** The state of a plan at a glance: what it does, how far it is, what it used, whether it would merge. */
import { CircleAlert, Coins, GitMerge } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PlanRow } from '../../../../../src/protocol/answers.ts'
import { usePlanBudget, usePlanForecast } from '../../../api/queries.ts'
import { isCancelled } from '../../../shell/progress.ts'
import { cx } from '../../../ui/cx.ts'
import { PlainText } from '../../../ui/plain-text.tsx'
import { visibleText } from '../../../ui/visible-text.ts'
import { COLUMN_IDS, COLUMN_TITLES, columnOf, type PlanTask, type ColumnId } from '../tasks/columns.ts'
import { brainLine, budgetLine, budgetUsed, capital, forecastIsBad, STATE_WORDS } from './plan-lines.ts'
import { forecastText } from '../../../../../src/lib/text/format-forecast.ts'

export interface PlanHeadProps {
  readonly row: PlanRow | null
  readonly plan: string
  readonly repo: string | undefined
  readonly tasks: readonly PlanTask[]
  /** Completed tasks that are not among them. */
  readonly leftOut: number
}

export function PlanHead({ row, plan, repo, tasks, leftOut }: PlanHeadProps) {
  return (
    <div className="-mt-3 flex flex-col gap-2">
      <div className="line-clamp-2 text-sm text-muted">
        {row !== null && (
          <span>
            {!isCancelled(row) && (
              <>
                <span className={cx('font-medium', STATE_TONE[row.state])}>{STATE_WORDS[row.state]}</span>
                {row.why !== '' && ' · '}
              </>
            )}
            {visibleText(isCancelled(row) ? capital(row.why) : row.why)}
          </span>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-xs text-muted">
        <StageStrip tasks={tasks} leftOut={leftOut} />
        <BudgetLine plan={plan} repo={repo} />
        <ForecastLine plan={plan} repo={repo} />
        {row !== null && row.trouble !== null && (
          <Line icon={<CircleAlert size={14} className="text-warn" aria-hidden="true" />}>
            <PlainText text={`${row.trouble.what}: ${row.trouble.reason}; it is retried`} />
          </Line>
        )}
      </div>
    </div>
  )
}

const STATE_TONE: Readonly<Record<PlanRow['state'], string>> = {
  running: 'text-text',
  waiting: 'text-text',
  deadlocked: 'text-bad',
  paused: 'text-warn',
  done: 'text-ok',
  damaged: 'text-bad',
}

function Line({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <span className="shrink-0">{icon}</span>
      <span className="min-w-0">{children}</span>
    </span>
  )
}

function BudgetLine({ plan, repo }: Pick<PlanHeadProps, 'plan' | 'repo'>) {
  const { data, isError } = usePlanBudget(plan, repo)
  const used = data === undefined ? null : budgetUsed(data)
  const isNear = used !== null && used >= 0.8
  const parts =
    data === undefined ? [isError ? 'usage could not be loaded' : null] : [budgetLine(data), brainLine(data)]
  const line = parts.filter((part) => part !== null).join(' · ') || null
  if (line === null) return null
  return (
    <Line icon={<Coins size={14} className={isNear ? 'text-warn' : ''} aria-hidden="true" />}>
      {line}
      {isNear && ` (${Math.round(100 * used)} % of its limit)`}
    </Line>
  )
}

/** How many conflicts are named. */
const FILES = 3

function ForecastLine({ plan, repo }: Pick<PlanHeadProps, 'plan' | 'repo'>) {
  const { data } = usePlanForecast(plan, repo)
  const forecast = data?.forecast ?? null
  const text = forecast === null ? null : forecastText(forecast, FILES)
  if (text === null) return null
  const isBad = forecastIsBad(forecast)
  return (
    <Line icon={<GitMerge size={14} className={isBad ? 'text-warn' : ''} aria-hidden="true" />}>
      <PlainText text={text} />
    </Line>
  )
}

/** How the tasks of a plan are spread over the stages, as one bar with its words. */
const ORDER: readonly ColumnId[] = ['done', 'review', 'gates', 'working', 'attention', 'ready', 'waiting']

const FILL: Readonly<Record<ColumnId, string>> = {
  done: 'bg-ok',
  review: 'bg-run',
  gates: 'bg-run opacity-75',
  working: 'bg-run opacity-50',
  attention: 'bg-warn',
  ready: 'bg-line-strong',
  waiting: 'bg-line',
}

export function StageStrip({
  tasks,
  leftOut,
}: {
  readonly tasks: readonly PlanTask[]
  /** Completed tasks that are not among them. */
  readonly leftOut: number
}) {
  if (tasks.length === 0) return null
  const counts = new Map(COLUMN_IDS.map((id) => [id, 0]))
  for (const task of tasks) {
    const id = columnOf(task)
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  counts.set('done', (counts.get('done') ?? 0) + leftOut)
  const total = tasks.length + leftOut
  const filled = ORDER.filter((id) => (counts.get(id) ?? 0) > 0)
  const words = filled.map((id) => `${counts.get(id)} ${COLUMN_TITLES[id].toLowerCase()}`).join(', ')
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:w-full">
      <div
        role="img"
        aria-label={`${total} tasks: ${words}`}
        className="flex h-1.5 w-full gap-px sm:w-72 overflow-hidden rounded-full bg-line"
      >
        {filled.map((id) => (
          <span
            key={id}
            className={cx('h-full', FILL[id])}
            style={{ width: `${(100 * (counts.get(id) ?? 0)) / total}%` }}
          />
        ))}
      </div>
      <span>
        {counts.get('done')} of {total} done
      </span>
      {leftOut > 0 && <span>{leftOut} done first are not shown</span>}
      {(counts.get('attention') ?? 0) > 0 && (
        <span className="text-warn">
          {counts.get('attention') === 1 ? '1 needs attention' : `${counts.get('attention')} need attention`}
        </span>
      )}
    </div>
  )
}
