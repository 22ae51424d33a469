/** The order of workers: those that need a look first. */
import { healthRank } from '../../ui/signs.ts'
import type { WorkerRow } from '../../../../src/protocol/answers.ts'
import { formatDuration } from '../../../../src/lib/text/format-time.ts'

/** Worst health first; within one, the longest silent first. Stable while nothing changes. */
export function sortWorkers(workers: readonly WorkerRow[]): readonly WorkerRow[] {
  return workers.toSorted(
    (a, b) =>
      healthRank(a.health) - healthRank(b.health) || compare(lastSign(a), lastSign(b)) || compare(a.id, b.id),
  )
}

/** The newer of what Bosun saw and what the worker claims. */
const lastSign = ({ observed_at: seen, last_checkin: claimed, since }: WorkerRow): string =>
  [seen ?? '', claimed ?? '', since].reduce((a, b) => (a > b ? a : b))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Shown in this order in the strip. */
export const HEALTHS = [
  'zombie',
  'stalled',
  'timeout_warning',
  'late',
  'healthy',
  'completed',
  'failed',
] as const

export interface TimeLeft {
  readonly text: string
  readonly usedPercent: number
  readonly isOver: boolean
}

/** Null while it starts. */
export function timeLeft(worker: Pick<WorkerRow, 'since' | 'time_limit_at'>, now: number): TimeLeft | null {
  if (worker.time_limit_at === null) return null
  const [start, end] = [Date.parse(worker.since), Date.parse(worker.time_limit_at)]
  const whole = Math.max(1, end - start)
  const left = end - now
  const usedPercent = Math.min(100, Math.max(0, ((now - start) * 100) / whole))
  const text = left >= 0 ? `${formatDuration(left)} left` : `${formatDuration(-left)} over its limit`
  return { text, usedPercent, isOver: left < 0 }
}
