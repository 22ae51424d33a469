/** Keeps the metrics of a day's workers from the event log. Starts with the first query, so that start-up does not wait. */
import type { LogEvent } from '../../core/log/log-events.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
import { DAY_MS, WatchLedger, type EndedWorker, type WatchMetrics } from '../../core/watch/metrics.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog, EventReader } from '../../ports/event-log.ts'
import { subscribePastDamage, tailPastDamage } from '../activity/past-damage.ts'
import { streamParts } from '../host/stream-name.ts'

export interface DayMetricsParts {
  /** One that cannot be listened to is read once. */
  readonly log: EventReader<LogEvent> & Partial<Pick<EventLog<LogEvent>, 'subscribe'>>
  readonly clock: Clock
  readonly onError: (what: string, error: unknown) => void
}

const PAGE = 1000

export class DayMetrics {
  readonly #parts: DayMetricsParts
  readonly #ledger = new WatchLedger()
  #seq = 0
  #begun: Promise<void> | null = null
  #unsubscribe: () => void = () => undefined

  constructor(parts: DayMetricsParts) {
    this.#parts = parts
  }

  /** Of one repository, or of all. */
  async now(repository?: string): Promise<WatchMetrics> {
    this.#begun ??= this.#begin()
    await this.#begun
    const now = this.#parts.clock.now()
    return this.#ledger.at(now, new Date(now).setHours(0, 0, 0, 0), isOf(repository))
  }

  /** Workers of a repository that ended within a day. */
  async ended(repository: string): Promise<readonly EndedWorker[]> {
    await this.now(repository)
    return this.#ledger.ended(isOf(repository))
  }

  close(): void {
    this.#unsubscribe()
  }

  async #begin(): Promise<void> {
    const { log, clock, onError } = this.#parts
    const since = clock.now() - 2 * DAY_MS
    this.#seq = await lastBefore(log, since)
    for (;;) {
      const { entries, seq } = await tailPastDamage(log, this.#seq, PAGE)
      for (const entry of entries.filter(isPlanEntry)) this.#ledger.take(entry)
      this.#seq = seq
      if (entries.length < PAGE) break
    }
    if (!canBeFollowed(log)) return
    this.#unsubscribe = subscribePastDamage(log, this.#seq, {
      entries: (entries) => {
        for (const entry of entries.filter(isPlanEntry)) this.#ledger.take(entry)
      },
      damage: (error) => onError('the metrics', error),
      failed: (error) => onError('the metrics', error),
    })
  }
}

const isOf = (repository: string | undefined) => (stream: string) =>
  repository === undefined || streamParts(stream)?.repository === repository

const canBeFollowed = (log: DayMetricsParts['log']): log is EventLog<LogEvent> => log.subscribe !== undefined

/** The place of the last entry before that moment; times rise with places but for jumps of the clock, which cost a little accuracy. */
async function lastBefore(log: EventReader<LogEvent>, moment: number): Promise<number> {
  let [low, high] = [0, await log.head()]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const { entries } = await tailPastDamage(log, middle, 1)
    const [entry] = entries
    if (entry === undefined || entry.at >= moment) high = middle
    else low = middle + 1
  }
  return low
}
