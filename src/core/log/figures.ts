/** Metrics over a time, from what happened in plans. */
import { NOTHING_SPENT, plus, type Spent } from '../state/spending.ts'
import type { Instant } from '../state/state.ts'
import type { PlanRecord } from './plan-record.ts'

export interface Figures {
  readonly completed: number
  readonly failed: number
  /** Of the completed and the failed; null without either. */
  readonly successRate: number | null
  /** The median; null where none was completed. */
  readonly leadTimeMs: number | null
  /** Of the completed; null without any. */
  readonly firstPassRate: number | null
  /** How long items waited, all together. */
  readonly personWaitMs: number
  readonly interventions: number
  readonly spent: Spent
}

/** The time from `from` until before `to`; items that are open wait until `now`. */
export interface Period {
  readonly from: Instant
  readonly to: Instant
  readonly now: Instant
}

export function figuresOf(records: readonly PlanRecord[], { from, to, now }: Period): Figures {
  const isIn = (at: Instant): boolean => at >= from && at < to
  const completed = records.flatMap((record) => record.completed.filter(({ at }) => isIn(at)))
  const failed = count(records, ({ failed: all }) => all, isIn)
  const passed = completed.filter(({ isFirstPass }) => isFirstPass).length
  const decided = completed.length + failed
  let personWaitMs = 0
  let spent: Spent = NOTHING_SPENT
  for (const record of records) {
    for (const wait of record.waits)
      personWaitMs += Math.max(0, Math.min(wait.to ?? now, to, now) - Math.max(wait.from, from))
    for (const use of record.spent) if (isIn(use.at)) spent = plus(spent, use.spent)
  }
  return {
    completed: completed.length,
    failed,
    successRate: decided === 0 ? null : completed.length / decided,
    leadTimeMs: median(completed.map(({ leadMs }) => leadMs)),
    firstPassRate: completed.length === 0 ? null : passed / completed.length,
    personWaitMs,
    interventions: count(records, ({ interventions }) => interventions, isIn),
    spent,
  }
}

function count(
  records: readonly PlanRecord[],
  timesOf: (record: PlanRecord) => readonly Instant[],
  isIn: (at: Instant) => boolean,
): number {
  return records.reduce((sum, record) => sum + timesOf(record).filter(isIn).length, 0)
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return low === undefined || high === undefined ? null : (low + high) / 2
}
