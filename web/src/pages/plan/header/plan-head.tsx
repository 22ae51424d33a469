/** The state of a plan at a glance: what it does, how far it is, what it used, whether it would merge. */
import { CircleAlert, Coins, GitMerge } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PlanRow } from '../../../../../src/protocol/answers.ts'
import { usePlanBudget, usePlanForecast } from '../../../api/queries.ts'
import { isCancelled } from '../../../shell/progress.ts'
import { cx } from '../../../ui/cx.ts'
import { PlainText } from '../../../ui/plain-text.tsx'
import { visibleText } from '../../../ui/visible-text.ts'
import type { PlanTask } from '../tasks/plan-task.ts'
import {
  brainLine,
  budgetLine,
  budgetUsed,
  capital,
  forecastIsBad,
  forecastText,
  STATE_WORDS,
} from './plan-lines.ts'
import { StageStrip } from './stage-strip.tsx'

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

function ForecastLine({ plan, repo }: Pick<PlanHeadProps, 'plan' | 'repo'>) {
  const { data } = usePlanForecast(plan, repo)
  const text = forecastText(data?.forecast ?? null)
  if (text === null) return null
  const isBad = forecastIsBad(data?.forecast ?? null)
  return (
    <Line icon={<GitMerge size={14} className={isBad ? 'text-warn' : ''} aria-hidden="true" />}>
      <PlainText text={text} />
    </Line>
  )
}
