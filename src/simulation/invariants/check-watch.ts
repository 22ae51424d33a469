/** The invariants of the watch, checked against the true state of the simulated workers. */
import type { EventOf } from '../../core/events/plan-events.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import type { Ledger, WatchRecord } from './ledger.ts'
import type { Moment } from './provider-rules.ts'

/** Facts about simulated workers that are in no event. */
export interface WorkersTruth {
  /** Left alone, it ends by itself within its limit. */
  isHealthy(worker: string): boolean
  /** How long it has been silent; null for one that never ran. */
  quietMs(worker: string): number | null
  /** How long this PM has observed without a pause or a jump. */
  sawForMs(): number
  now(): Moment
}

/** Ends that the watch decides by observation. */
const JUDGED: ReadonlySet<string> = new Set(['stalled', 'zombie', 'time_limit'])
/** Messages that are sent because of silence. */
const OF_SILENCE: ReadonlySet<string> = new Set(['nudge', 'reminder', 'restart'])
/** A write may need a few retries. */
const SLACK_MS = 30_000

export function condemnationBreaks(
  ledger: Ledger,
  event: EventOf<'worker.condemned'>,
  truth: WorkersTruth,
): string | null {
  const { worker, cause, why } = event
  if (!JUDGED.has(cause)) return null
  if (truth.isHealthy(worker)) return `healthy ${worker} was condemned: ${why}`
  const quietMs = truth.quietMs(worker) ?? Infinity
  if (cause !== 'time_limit' && quietMs < ledger.settings.stalledMs * (cause === 'zombie' ? 2 : 1.5))
    return `${worker} was condemned as ${cause}, but gave a sign of life ${formatDuration(quietMs)} ago`
  const { startedMs, alertedMs } = ledger.watched(worker)
  const limitMs = ledger.task(event.task).spec.timeBudgetMs
  // An answer to the alert about its time limit does not extend it.
  const isLimitAlerted = cause === 'time_limit' && (alertedMs ?? 0) >= (startedMs ?? 0) + limitMs
  const isAlerted = isLimitAlerted || isOpen(ledger, worker)
  return isAlerted ? null : `${worker} was condemned as ${cause} before a person was alerted`
}

const isOpen = (ledger: Ledger, worker: string): boolean =>
  [...ledger.items.values()].some((item) => item.subject === 'worker' && item.about === worker)

/** No worker gets a message without a silence, nor two for the same one, nor the first one late. */
export function messageBreaks(
  ledger: Ledger,
  event: EventOf<'worker.told'>,
  truth: WorkersTruth,
): string | null {
  const { worker, message } = event
  if (message.by !== 'bosun') return null
  const { about } = message
  const isOfSilence = OF_SILENCE.has(about)
  const quietMs = truth.quietMs(worker) ?? Infinity
  if (isOfSilence && quietMs < silenceMs(ledger))
    return `${worker} was sent "${about}", but gave a sign of life ${formatDuration(quietMs)} ago`
  const record = ledger.watched(worker)
  const forMs = silentForMs(record, truth, quietMs)
  // After a pause of the PM its next look may come later.
  const isSeenWhole = forMs === quietMs
  if (about === 'nudge' && isSeenWhole && forMs > silenceMs(ledger) + SLACK_MS)
    return `${worker} was silent for ${formatDuration(forMs)} before it was nudged`
  const sentMs = record.sent.get(about)
  if (sentMs === undefined) return null
  const isAnew = isOfSilence && sentMs <= truth.now().elapsedMs - forMs
  return isAnew ? null : `${worker} was sent "${about}" twice`
}

export function alertBreaks(
  ledger: Ledger,
  { item }: EventOf<'inbox.opened'>,
  truth: WorkersTruth,
): string | null {
  if (item.subject !== 'worker') return null
  const worker = item.about ?? ''
  if (isOpen(ledger, worker)) return `a person is alerted about ${worker} twice`
  return item.problem.includes('; a nudge ') ? overdueBreaks(ledger, worker, truth) : null
}

/** A silent worker was escalated in time. */
export function overdueBreaks(ledger: Ledger, worker: string, truth: WorkersTruth): string | null {
  const record = ledger.watched(worker)
  const quietMs = truth.quietMs(worker)
  if (record.startedMs === null || quietMs === null || record.isCondemned) return null
  // A worker that waits for an answer may be silent.
  if ([...ledger.requests.open.values()].some((request) => request.worker === worker)) return null
  const forMs = silentForMs(record, truth, quietMs)
  // A nudge that it did not get could have no effect.
  const nudgedAfterMs = (record.nudgedMs ?? -1) - (truth.now().elapsedMs - forMs)
  const dueMs =
    nudgedAfterMs < 0 ? ledger.settings.stalledMs * 1.1 : Math.max(silenceMs(ledger) * 1.2, nudgedAfterMs)
  if (forMs <= dueMs + SLACK_MS) return null
  const isAlerted = record.alertedMs !== null && record.alertedMs >= truth.now().elapsedMs - quietMs
  return isAlerted || isOpen(ledger, worker)
    ? null
    : `${worker} was silent for ${formatDuration(forMs)} before a person was alerted`
}

/** How long this PM could observe its silence. */
function silentForMs(record: WatchRecord, truth: WorkersTruth, quietMs: number): number {
  const sinceMs = Math.max(record.startedMs ?? 0, record.armedMs)
  return Math.min(quietMs, truth.sawForMs(), truth.now().elapsedMs - sinceMs)
}

const silenceMs = (ledger: Ledger): number => ledger.settings.watch.silenceMs
