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
  /** On the first entry of an append that had a key: the key, and how many events were appended with it. */
  readonly keyed?: { readonly key: string; readonly events: number }
}

export interface Append<E extends RecordedEvent = RecordedEvent> {
  readonly stream: StreamId
  /** The version the writer decided on: the last one it has read, 0 for a stream that does not exist yet. */
  readonly expectedVersion: number
  readonly at: Instant
  /** At least one. JSON values; they are handed over, and not changed by anybody afterwards. */
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
 * What can be asked of a log without writing to it.
 * - Events are checked on read; what is not a known event rejects with BrokenEvent, and is never skipped.
 * - `read` and `tail` give entries in order, without gaps, and see every append that has resolved.
 * - After `close` every call rejects (`subscribe` throws), except `close`.
 */
export interface EventReader<E extends RecordedEvent = RecordedEvent> {
  /** Entries of one stream after `afterVersion`, at most `limit`. */
  read(stream: StreamId, afterVersion: number, limit: number): Promise<readonly Entry<E>[]>
  /** Entries of all streams after `afterSeq`, at most `limit`. */
  tail(afterSeq: number, limit: number): Promise<readonly Entry<E>[]>
  /** The open streams, or the closed ones, by name. */
  streams(filter: { readonly open: boolean }): Promise<readonly StreamInfo[]>
  loadSnapshot(stream: StreamId): Promise<Snapshot | null>
  /** The place of the last entry in the whole log; 0 while it is empty. */
  head(): Promise<number>
  close(): Promise<void>
}

/**
 * A durable, ordered log of events in streams.
 * - `append` resolves only after its events are durable, all of them or none.
 * - Appends are written in the order they were called in.
 * - An append with a stale `expectedVersion` changes nothing and says `conflict`.
 * - An append whose key is already in the stream changes nothing and answers with the entries written then.
 * - Events are checked on write; what is not a known event rejects with BrokenEvent, and others' appends go on.
 * - `subscribe` calls its listener once for every entry after `afterSeq`, in order, until it is unsubscribed,
 *   and never before `subscribe` has returned.
 * - A subscription whose listener throws, or that meets a BrokenEvent, ends with `failed`; without `failed` the
 *   error is thrown where nobody catches it. Appends and other listeners do not notice.
 * - A snapshot never replaces a newer one, and never holds more than its stream.
 * - An append to a closed stream opens it again: nothing written is left unread at the next start.
 * - `close` waits for the appends that were asked for before it.
 */
export interface EventLog<E extends RecordedEvent = RecordedEvent> extends EventReader<E> {
  append(append: Append<E>): Promise<Appended<E>>
  subscribe(
    afterSeq: number,
    listener: (entries: readonly Entry<E>[]) => void,
    failed?: (error: Error) => void,
  ): () => void
  /** Does nothing to a stream that is closed already or was never written. */
  closeStream(stream: StreamId): Promise<void>
  saveSnapshot(snapshot: Snapshot): Promise<void>
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
