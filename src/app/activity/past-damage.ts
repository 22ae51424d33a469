/**
 * Follows the whole log past unreadable events. The log itself never skips one; a follower that folds no state may go on
 * behind it, and reports which one it was.
 */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
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

/** Takes every event of plans after a place, to the end of the log. Returns the place to go on from. */
export async function takePlanEntries(
  log: Pick<EventLog<LogEvent>, 'tail'>,
  after: number,
  take: (entry: Entry<PlanEvent>) => void,
): Promise<number> {
  for (let from = after; ;) {
    const { entries, seq } = await tailPastDamage(log, from, PAGE)
    for (const entry of entries.filter(isPlanEntry)) take(entry)
    if (entries.length < PAGE) return seq
    from = seq
  }
}

/** Like `subscribe`, but continues past damage. Earlier entries are delivered page by page, in order. */
export function subscribePastDamage<E extends RecordedEvent>(
  log: Pick<EventLog<E>, 'tail' | 'subscribe'>,
  after: number,
  handlers: {
    readonly entries: (entries: readonly Entry<E>[]) => void
    readonly damage: OnDamage
    readonly failed: (error: Error) => void
  },
): () => void {
  let isOver = false
  let unsubscribe: () => void = () => undefined
  const begin = (from: number): void => {
    let seq = from
    unsubscribe = log.subscribe(
      from,
      (entries) => {
        seq = entries.at(-1)?.seq ?? seq
        handlers.entries(entries)
      },
      (error) => void goOn(seq, error),
    )
  }
  const goOn = async (from: number, error: Error): Promise<void> => {
    if (isOver) return
    if (!isPlaced(error)) return handlers.failed(error)
    try {
      const { page } = await readablePart(log, from, error.seq - from)
      if (isOver) return
      if (page.length > 0) handlers.entries(page)
      handlers.damage(error)
      begin(error.seq)
    } catch (failure) {
      handlers.failed(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }
  begin(after)
  return () => {
    isOver = true
    unsubscribe()
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
