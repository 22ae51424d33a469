/** Converts rows of the events table to entries; an unknown event is an error. */
import { chainAfter, NO_EVENT } from './event-chain.ts'
import { BrokenEvent, type Entry, type EventCodec, type RecordedEvent } from '../../ports/event-log.ts'

/** With the hash of the event before it in its stream. */
export const ENTRY_COLUMNS = `seq, stream, version, at, type, v, data, chain, (
  select earlier.chain from events earlier where earlier.stream = events.stream and earlier.version = events.version - 1
) as before`

export interface EntryRow {
  readonly seq: number
  readonly stream: string
  readonly version: number
  readonly at: number
  readonly type: string
  readonly v: number
  /** The event as JSON, without `type` and `v`. */
  readonly data: string
  readonly chain: string
  /** Null for the first event of its stream. */
  readonly before: string | null
}

/** Throws BrokenEvent. */
export function entryOf<E extends RecordedEvent>(codec: EventCodec<E>, row: EntryRow): Entry<E> {
  const { seq, stream, version, at } = row
  const event = eventOf(codec, row)
  if (row.chain !== chainAfter(row.before ?? NO_EVENT, row)) throw changedByHand(row)
  return { seq, stream, version, at, event }
}

/** The event's `data` column. */
export function dataOf(event: RecordedEvent): string {
  const { type: _type, v: _v, ...data } = event
  return JSON.stringify(data)
}

/** The log is complete up to here only. */
export function missingEvent(place: { stream: string; seq: number | null; problem: string }): BrokenEvent {
  return new BrokenEvent({ ...place, remedy: REMEDY_DAMAGED })
}

/** Something else than Bosun wrote to the database, or it is damaged. */
export const changedByHand = ({ stream, seq }: { stream: string; seq: number | null }): BrokenEvent =>
  missingEvent({
    stream,
    seq,
    problem: 'the database was changed by hand: its hash does not follow from the event before it',
  })

function eventOf<E extends RecordedEvent>(codec: EventCodec<E>, row: EntryRow): E {
  const { seq, stream, type, v } = row
  let data: unknown
  try {
    data = JSON.parse(row.data)
  } catch (cause) {
    const problem = `${type} v${v} is not valid JSON`
    throw new BrokenEvent({ seq, stream, problem, remedy: REMEDY_DAMAGED, cause })
  }
  try {
    return codec.check({ type, v, ...(data as object) })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const problem = `${type} v${v} is not an event this version of Bosun knows: ${why}`
    throw new BrokenEvent({ seq, stream, problem, remedy: REMEDY_UNKNOWN, cause })
  }
}

const REMEDY_UNKNOWN =
  'If a newer Bosun wrote it, update Bosun. Otherwise the database is damaged: `bosun export` writes everything ' +
  'before it, to be imported into a new state root.'
const REMEDY_DAMAGED =
  'The database is damaged: restore a backup, or write everything before it with `bosun export` and import that ' +
  'into a new state root.'
