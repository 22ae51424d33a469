/**
 * The log in memory, for simulations and tests: no timers, no copies, the same calls give the same log.
 * Callers hand over their events: an event that is changed after it was appended is changed in the log.
 */
import { entryToShow } from '../ports/event-log.ts'
import type {
  Append,
  Appended,
  Entry,
  EventCodec,
  EventLog,
  RecordedEvent,
  Search,
  Snapshot,
  StreamId,
  StreamInfo,
} from '../ports/event-log.ts'
import { checkedAppend, checkPage } from './checked-append.ts'
import { Subscriptions } from './subscriptions.ts'

interface Stream<E extends RecordedEvent> {
  readonly entries: Entry<E>[]
  snapshot: Snapshot | null
  closed: boolean
}

export class MemoryEventLog<E extends RecordedEvent = RecordedEvent> implements EventLog<E> {
  readonly #codec: EventCodec<E>
  readonly #entries: Entry<E>[] = []
  readonly #streams = new Map<StreamId, Stream<E>>()
  readonly #subscriptions = new Subscriptions<E>(async (afterSeq, limit) => this.#page(afterSeq, limit))
  #closed = false

  constructor(codec: EventCodec<E>) {
    this.#codec = codec
  }

  // Every call is `async` so that a refusal is a rejection, although nothing here waits.

  async append(append: Append<E>): Promise<Appended<E>> {
    this.#assertOpen()
    const { stream, expectedVersion, at, events } = checkedAppend(this.#codec, append)
    const known = this.#streams.get(stream)
    const version = known?.entries.length ?? 0
    if (version !== expectedVersion) return { ok: false, why: 'conflict', version }
    const target = known ?? this.#create(stream)
    target.closed = false
    const seq = this.#entries.length
    const entries = events.map((event, index): Entry<E> => {
      return { seq: seq + index + 1, stream, version: version + index + 1, at, event }
    })
    for (const entry of entries) {
      this.#entries.push(entry)
      target.entries.push(entry)
    }
    this.#subscriptions.publish(entries)
    return { ok: true, entries }
  }

  async read(stream: StreamId, afterVersion: number, limit: number): Promise<readonly Entry<E>[]> {
    this.#assertOpen()
    checkPage(afterVersion, limit)
    return this.#streams.get(stream)?.entries.slice(afterVersion, afterVersion + limit) ?? []
  }

  async search(stream: StreamId, { afterVersion, limit, types, texts }: Search) {
    this.#assertOpen()
    checkPage(afterVersion, limit)
    const looked = this.#streams.get(stream)?.entries.slice(afterVersion, afterVersion + limit) ?? []
    const entries = looked.filter(({ event }) => {
      const { type, v: _v, ...data } = event
      const json = JSON.stringify(data)
      return types.includes(type) || texts.some((text) => json.includes(text))
    })
    return { entries, version: afterVersion + looked.length }
  }

  async tail(afterSeq: number, limit: number): Promise<readonly Entry<E>[]> {
    return this.#page(afterSeq, limit)
  }

  async back(beforeSeq: number, limit: number, prefixes: readonly string[]) {
    this.#assertOpen()
    checkPage(beforeSeq, limit)
    const before = this.#entries.slice(0, Math.max(0, beforeSeq - 1)).reverse()
    const asked = before.filter(({ stream }) => prefixes.some((prefix) => stream.startsWith(prefix)))
    return asked.slice(0, limit).map(entryToShow)
  }

  subscribe(
    afterSeq: number,
    listener: (entries: readonly Entry<E>[]) => void,
    failed?: (error: Error) => void,
  ): () => void {
    this.#assertOpen()
    return this.#subscriptions.add(afterSeq, listener, failed)
  }

  async streams(filter: { readonly open: boolean }): Promise<readonly StreamInfo[]> {
    this.#assertOpen()
    return [...this.#streams]
      .filter(([, { closed }]) => closed !== filter.open)
      .map(([stream, { entries, closed }]) => ({ stream, version: entries.length, closed }))
      .sort((a, b) => (a.stream < b.stream ? -1 : 1))
  }

  async closeStream(stream: StreamId): Promise<void> {
    this.#assertOpen()
    const known = this.#streams.get(stream)
    if (known !== undefined) known.closed = true
  }

  async saveSnapshot(snapshot: Snapshot): Promise<void> {
    this.#assertOpen()
    const known = this.#streams.get(snapshot.stream)
    if (known === undefined || snapshot.version > known.entries.length) {
      throw new RangeError(
        `cannot save a snapshot of ${snapshot.stream} at version ${snapshot.version}: no such version`,
      )
    }
    if (known.snapshot === null || known.snapshot.version <= snapshot.version) known.snapshot = snapshot
  }

  async loadSnapshot(stream: StreamId): Promise<Snapshot | null> {
    this.#assertOpen()
    // The caller may change what it loads.
    return structuredClone(this.#streams.get(stream)?.snapshot ?? null)
  }

  async head(): Promise<number> {
    this.#assertOpen()
    return this.#entries.length
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#subscriptions.endAll()
  }

  #page(afterSeq: number, limit: number): readonly Entry<E>[] {
    this.#assertOpen()
    checkPage(afterSeq, limit)
    return this.#entries.slice(afterSeq, afterSeq + limit)
  }

  #create(stream: StreamId): Stream<E> {
    const created: Stream<E> = { entries: [], snapshot: null, closed: false }
    this.#streams.set(stream, created)
    return created
  }

  #assertOpen(): void {
    if (this.#closed) throw new Error('the log is closed')
  }
}
