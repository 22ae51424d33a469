/** The log is the truth: everything that happens is appended here, durably, before it is acted on. */

/** Milliseconds since the Unix epoch. */
export type Instant = number

/** One plan of one repository, or `daemon` for what concerns no plan. Letters, digits and `-._/:`. */
export type StreamId = string

/** An event as it was written: `v` is the version of its type's schema. */
export interface RecordedEvent {
  readonly type: string
  readonly v: number
}

/** An event with its place in the log. */
export interface Entry<E extends RecordedEvent = RecordedEvent> {
  /** Place in the whole log, from 1, rising in the order of commits. */
  readonly seq: number
  readonly stream: StreamId
  /** Place in its stream, from 1, without gaps. */
  readonly version: number
  readonly at: Instant
  readonly event: E
}

export interface Append<E extends RecordedEvent = RecordedEvent> {
  readonly stream: StreamId
  /** The version the writer decided on: the last one it has read, 0 for a stream that does not exist yet. */
  readonly expectedVersion: number
  readonly at: Instant
  readonly events: readonly E[]
  /** The same key in the same stream is appended once, however often it is asked for. */
  readonly key?: string | undefined
}

export type Appended<E extends RecordedEvent = RecordedEvent> =
  | { readonly ok: true; readonly repeated: boolean; readonly entries: readonly Entry<E>[] }
  /** Somebody else wrote meanwhile: read on from your version and decide again. */
  | { readonly ok: false; readonly why: 'conflict'; readonly version: number }

/** A folded state, so that start-up does not fold the whole history. */
export interface Snapshot {
  readonly stream: StreamId
  /** The last event that is in it. */
  readonly version: number
  readonly seq: number
  /** The shape of `state`; a reader that does not know it folds from the start instead. */
  readonly shape: number
  readonly state: unknown
}

export interface StreamInfo {
  readonly stream: StreamId
  readonly version: number
  /** A closed stream takes part in nothing any more and is not loaded at start. */
  readonly closed: boolean
}

/** Knows the events: refuses what is not one, and brings old versions up to date. */
export interface EventCodec<E extends RecordedEvent = RecordedEvent> {
  /** The event, checked. Throws an Error that says what is wrong with it. */
  check(event: unknown): E
}

/**
 * A durable, ordered log of events in streams.
 * - `append` resolves only after its events are durable, all of them or none.
 * - An append with a stale `expectedVersion` changes nothing and says `conflict`.
 * - An append whose key is already in the stream changes nothing and answers with the entries written then.
 * - Events are checked on write and on read; what is not a known event rejects with BrokenEvent, and is never skipped.
 * - `read` and `tail` give entries in order, without gaps, and see every append that has resolved.
 * - `subscribe` calls its listener once for every entry after `afterSeq`, in order, until it is unsubscribed.
 * - A snapshot never replaces a newer one.
 * - After `close` every call rejects.
 */
export interface EventLog<E extends RecordedEvent = RecordedEvent> {
  append(append: Append<E>): Promise<Appended<E>>
  /** Entries of one stream after `afterVersion`, at most `limit`. */
  read(stream: StreamId, afterVersion: number, limit: number): Promise<readonly Entry<E>[]>
  /** Entries of all streams after `afterSeq`, at most `limit`. */
  tail(afterSeq: number, limit: number): Promise<readonly Entry<E>[]>
  subscribe(afterSeq: number, listener: (entries: readonly Entry<E>[]) => void): () => void
  streams(filter: { readonly open: boolean }): Promise<readonly StreamInfo[]>
  closeStream(stream: StreamId): Promise<void>
  saveSnapshot(snapshot: Snapshot): Promise<void>
  loadSnapshot(stream: StreamId): Promise<Snapshot | null>
  close(): Promise<void>
}

/** An event that is unknown or broken. Nothing after it may be trusted, so the log stops there. */
export class BrokenEvent extends Error {
  override readonly name = 'BrokenEvent'
  readonly seq: number | null
  readonly stream: StreamId
  readonly remedy: string
  constructor(options: {
    seq: number | null
    stream: StreamId
    problem: string
    remedy: string
    cause?: unknown
  }) {
    const place = options.seq === null ? 'a new event' : `event ${options.seq}`
    super(`${place} of ${options.stream}: ${options.problem}`, { cause: options.cause })
    this.seq = options.seq
    this.stream = options.stream
    this.remedy = options.remedy
  }
}
