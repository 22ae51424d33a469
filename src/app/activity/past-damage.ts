/**
 * Follows the whole log past unreadable events. The log itself never skips one; a follower that folds no state may go on
 * behind it, and reports which one it was.
 */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { BrokenEvent, type Entry, type EventLog, type RecordedEvent } from '../../ports/event-log.ts'

export type OnDamage = (error: BrokenEvent & { readonly seq: number }) => void

export interface TailPage<E extends RecordedEvent> {
  readonly entries: readonly Entry<E>[]
  /** Everything up to here was looked at: the place to go on from. */
  readonly seq: number
}

/** At most `limit` entries after a place; fewer only at the end of the log. */
export async function tailPastDamage<E extends RecordedEvent>(
  log: Pick<EventLog<E>, 'tail'>,
  after: number,
  limit: number,
  onDamage: OnDamage = () => undefined,
): Promise<TailPage<E>> {
  const entries: Entry<E>[] = []
  let seq = after
  for (;;) {
    const wanted = limit - entries.length
    const { page, damage } = await readablePart(log, seq, wanted)
    entries.push(...page)
    seq = page.at(-1)?.seq ?? seq
    if (damage === null) return { entries, seq }
    seq = damage.seq
    onDamage(damage)
    if (entries.length === limit) return { entries, seq }
  }
}

const PAGE = 1000

/** Takes the events of all plans, each once and in order: a look goes on where the last one ended. */
export class PlanReading {
  readonly #log: Pick<EventLog<LogEvent>, 'tail'>
  readonly #take: (entry: Entry<PlanEvent>) => void
  readonly #looks = new SerialQueue()
  #seq: number

  constructor(
    log: Pick<EventLog<LogEvent>, 'tail'>,
    take: (entry: Entry<PlanEvent>) => void,
    { after }: { readonly after: number } = { after: 0 },
  ) {
    this.#log = log
    this.#take = take
    this.#seq = after
  }

  /** To the end of the log. */
  look(): Promise<void> {
    return this.#looks.run(async () => {
      for (;;) {
        const { entries, seq } = await tailPastDamage(this.#log, this.#seq, PAGE)
        this.#seq = seq
        for (const entry of entries.filter(isPlanEntry)) this.#take(entry)
        if (entries.length < PAGE) return
      }
    })
  }
}

interface Part<E extends RecordedEvent> {
  readonly page: readonly Entry<E>[]
  /** The event right behind the page, where it cannot be read. */
  readonly damage: (BrokenEvent & { readonly seq: number }) | null
}

async function readablePart<E extends RecordedEvent>(
  log: Pick<EventLog<E>, 'tail'>,
  after: number,
  limit: number,
): Promise<Part<E>> {
  try {
    return { page: await log.tail(after, limit), damage: null }
  } catch (error) {
    if (!isPlaced(error)) throw error
    const before = error.seq - 1 - after
    return { page: before > 0 ? await log.tail(after, before) : [], damage: error }
  }
}

const isPlaced = (error: unknown): error is BrokenEvent & { readonly seq: number } =>
  error instanceof BrokenEvent && error.seq !== null

/** A broken event, a page of the database that cannot be read any more, or events that make no plan. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof BrokenEvent ||
  (error instanceof Error && 'problem' in error && error.problem === 'damaged')
