/** Checks that every log makes before an append, so that an invalid one never reaches its group. */
import { BrokenEvent, type Append, type EventCodec, type RecordedEvent } from '../ports/event-log.ts'

const STREAM_ID = /^[A-Za-z0-9\-._/:]{1,200}$/

/** The append with its events checked by the codec. Throws BrokenEvent or RangeError. */
export function checkedAppend<E extends RecordedEvent>(codec: EventCodec<E>, append: Append<E>): Append<E> {
  const { stream, expectedVersion, at, events } = append
  if (!STREAM_ID.test(stream)) throw new RangeError(`invalid stream id ${JSON.stringify(stream)}`)
  if (!isCount(expectedVersion)) throw new RangeError(`invalid version ${expectedVersion}`)
  checkInstant(at)
  if (events.length === 0) throw new RangeError(`no events to append to ${stream}`)
  return { ...append, events: events.map((event) => checkedEvent(codec, stream, event)) }
}

/** Refuses an unbounded page, and a position that would silently return nothing. */
export function checkPage(after: number, limit: number): void {
  if (!isCount(after)) throw new RangeError(`invalid position in the log: ${after}`)
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`invalid page size ${limit}`)
}

export function checkInstant(at: number): void {
  if (!Number.isSafeInteger(at)) throw new RangeError(`invalid time in milliseconds: ${at}`)
}

function checkedEvent<E extends RecordedEvent>(codec: EventCodec<E>, stream: string, event: E): E {
  try {
    return codec.check(event)
  } catch (cause) {
    throw new BrokenEvent({
      seq: null,
      stream,
      problem: cause instanceof Error ? cause.message : String(cause),
      remedy: 'Nothing was written. This is a bug in Bosun; please report it.',
      cause,
    })
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
