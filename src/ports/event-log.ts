/** The log is the source of truth: every event is durable before it is acted on. */

/** Milliseconds since the Unix epoch. */
export type Instant = number

/** One plan of one repository, or `daemon` for events without a plan. Letters, digits and `-._/:`. */
export type StreamId = string

/** A stored event: `v` is the version of its type's schema. */
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
  /** The last version the writer has read, 0 for a stream that does not exist yet. */
  readonly expectedVersion: number
  readonly at: Instant
  /** At least one. JSON values, which must not be changed afterwards. */
  readonly events: readonly E[]
}

export type Appended<E extends RecordedEvent = RecordedEvent> =
  | { readonly ok: true; readonly entries: readonly Entry<E>[] }
  /** Another writer came first: read on from your version and decide again. */
  | { readonly ok: false; readonly why: 'conflict'; readonly version: number }

/** A folded state, so that start-up does not fold the whole log. */
export interface Snapshot {
  readonly stream: StreamId
  /** The last event included. */
  readonly version: number
  readonly seq: number
  /** The format of `state`; a reader that does not know it folds from the start. */
  readonly shape: number
  readonly state: unknown
}

export interface StreamInfo {
  readonly stream: StreamId
  readonly version: number
  /** A closed stream is not loaded at start. */
  readonly closed: boolean
}

/** Which entries of a stream are wanted, and how far to look for them. */
export interface Search {
  readonly afterVersion: number
  /** How many entries are looked at. */
  readonly limit: number
  /** Events of these types. */
  readonly types: readonly string[]
  /** Events with one of these texts anywhere in their JSON; `type` and `v` do not count. */
  readonly texts: readonly string[]
}

/** An entry that is validated when its event is asked for. */
export interface EntryToShow<E extends RecordedEvent = RecordedEvent> extends Omit<Entry<E>, 'event'> {
  /** Throws BrokenEvent. */
  readonly event: () => E
}

export const entryToShow = <E extends RecordedEvent>({ event, ...place }: Entry<E>): EntryToShow<E> => ({
  ...place,
  event: () => event,
})

/** Validates events and upgrades old versions. */
export interface EventCodec<E extends RecordedEvent = RecordedEvent> {
  /** The validated event. Throws an Error that names the problem. */
  check(event: unknown): E
}

/**
 * Read access to a log.
 * - Events are validated on read; an invalid one rejects with BrokenEvent, and is never skipped.
 * - `read` and `tail` return entries in order, without gaps, and see every append that has resolved.
 * - After `close` every call rejects (`subscribe` throws), except `close`.
 */
export interface EventReader<E extends RecordedEvent = RecordedEvent> {
  /** Entries of one stream after `afterVersion`, at most `limit`. */
  read(stream: StreamId, afterVersion: number, limit: number): Promise<readonly Entry<E>[]>
  /** The entries of one stream that a search wants, in order, and the last version that was looked at; the others are not validated. */
  search(
    stream: StreamId,
    search: Search,
  ): Promise<{ readonly entries: readonly Entry<E>[]; readonly version: number }>
  /** Entries of all streams after `afterSeq`, at most `limit`. */
  tail(afterSeq: number, limit: number): Promise<readonly Entry<E>[]>
  /** Entries before `beforeSeq`, the newest first, at most `limit`, of streams that begin with one of the prefixes; for showing. */
  back(beforeSeq: number, limit: number, prefixes: readonly string[]): Promise<readonly EntryToShow<E>[]>
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
 * - An append with a stale `expectedVersion` changes nothing and returns `conflict`.
 * - Events are validated on write; an invalid one rejects with BrokenEvent, and other appends continue.
 * - `subscribe` calls its listener once for every entry after `afterSeq`, in order, until it is unsubscribed,
 *   and never before `subscribe` has returned.
 * - A subscription whose listener throws, or that meets a BrokenEvent, ends with `failed`; without `failed` the
 *   error is uncaught. Appends and other listeners are not affected.
 * - A snapshot never replaces a newer one, and never contains more than its stream.
 * - An append to a closed stream reopens it.
 * - `close` waits for earlier appends.
 */
export interface EventLog<E extends RecordedEvent = RecordedEvent> extends EventReader<E> {
  append(append: Append<E>): Promise<Appended<E>>
  subscribe(
    afterSeq: number,
    listener: (entries: readonly Entry<E>[]) => void,
    failed?: (error: Error) => void,
  ): () => void
  /** Does nothing to a closed or unknown stream. */
  closeStream(stream: StreamId): Promise<void>
  saveSnapshot(snapshot: Snapshot): Promise<void>
}

/** An unknown or invalid event. Nothing after it can be trusted, so reading stops there. */
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
