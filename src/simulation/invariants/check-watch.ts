/** What must hold of the watch, judged by what the simulated world knows of its workers. */
import type { EventOf } from '../../core/events/plan-events.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import type { Ledger, WatchRecord } from './ledger.ts'

/** What the simulated world knows of workers, and no event tells. */
export interface WorkersTruth {
  /** Left alone, it ends by itself within its limit. */
  isHealthy(worker: string): boolean
  /** For how long nothing was to be seen or heard of it; null for one that never ran. */
  quietMs(worker: string): number | null
  /** For how long this PM has been there to see, without a pause or a jump. */
  sawForMs(): number
  /** Time that really passed since the simulation began. */
  elapsedMs(): number
}

/** Ends that the watch decides on what it saw. */
const JUDGED: ReadonlySet<string> = new Set(['stalled', 'zombie', 'time_limit'])
/** What is said because nothing is seen of somebody. */
const OF_SILENCE: ReadonlySet<string> = new Set(['nudge', 'reminder', 'last nudge'])
/** Writing may take a few tries. */
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
  if (cause !== 'time_limit' && quietMs < ledger.settings.stalledMs)
    return `${worker} was condemned as ${cause}, and lived ${formatDuration(quietMs)} ago`
  const { startedMs, alertedMs } = ledger.watched(worker)
  const limitMs = ledger.task(event.task).spec.timeBudgetMs
  // Who was told that its time is over may have answered: that gives it no more of it.
  const isToldOfLimit = cause === 'time_limit' && (alertedMs ?? 0) >= (startedMs ?? 0) + limitMs
  const isTold = isToldOfLimit || isOpen(ledger, worker)
  return isTold ? null : `${worker} was condemned as ${cause} before a person was told`
}

const isOpen = (ledger: Ledger, worker: string): boolean =>
  [...ledger.items.values()].some((item) => item.subject === 'worker' && item.about === worker)

/** Nobody is bothered for a silence that is none, nor twice for the same one. */
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
    return `${worker} was told "${about}", and lived ${formatDuration(quietMs)} ago`
  const record = ledger.watched(worker)
  const toldMs = record.told.get(about)
  if (toldMs === undefined) return null
  const isAnew = isOfSilence && toldMs <= truth.elapsedMs() - silentForMs(record, truth, quietMs)
  return isAnew ? null : `${worker} was told "${about}" twice`
}

export function alertBreaks(
  ledger: Ledger,
  { item }: EventOf<'inbox.opened'>,
  truth: WorkersTruth,
): string | null {
  if (item.subject !== 'worker') return null
  const worker = item.about ?? ''
  if (isOpen(ledger, worker)) return `a person is told of ${worker} twice`
  return item.problem.includes('a nudge had no effect') ? overdueBreaks(ledger, worker, truth) : null
}

/** Whoever fell silent was told of in time, before anything else ended it. */
export function overdueBreaks(ledger: Ledger, worker: string, truth: WorkersTruth): string | null {
  const record = ledger.watched(worker)
  const quietMs = truth.quietMs(worker)
  if (record.startedMs === null || quietMs === null || record.isCondemned) return null
  // Who waits for an answer is silent because of that, and whoever answers knows.
  if ([...ledger.requests.open.values()].some((request) => request.worker === worker)) return null
  const forMs = silentForMs(record, truth, quietMs)
  const dueMs = silenceMs(ledger) * 1.2
  if (forMs <= dueMs + SLACK_MS) return null
  const isTold = record.alertedMs !== null && record.alertedMs >= truth.elapsedMs() - quietMs
  return isTold || isOpen(ledger, worker)
    ? null
    : `${worker} was silent for ${formatDuration(forMs)} before a person was told`
}

/** For how long this PM could see that it is silent. */
function silentForMs(record: WatchRecord, truth: WorkersTruth, quietMs: number): number {
  const sinceMs = Math.max(record.startedMs ?? 0, record.armedMs)
  return Math.min(quietMs, truth.sawForMs(), truth.elapsedMs() - sinceMs)
}

const silenceMs = (ledger: Ledger): number => ledger.settings.watch?.silenceMs ?? 0
