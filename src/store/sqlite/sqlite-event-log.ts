/** The log in SQLite: one connection writes, appends that come together share a transaction and its sync. */
import type { DatabaseSync } from 'node:sqlite'
import type {
  Append,
  Appended,
  Entry,
  EventCodec,
  EventLog,
  RecordedEvent,
  Snapshot,
  StreamId,
} from '../../ports/event-log.ts'
import { checkedAppend } from '../checked-append.ts'
import { dataOf } from './entry-rows.ts'
import { chainAfter, NO_EVENT, snapshotChain } from './event-chain.ts'
import { GroupCommit } from './group-commit.ts'
import { transactionsOf } from './sqlite-connection.ts'
import { SqliteEventReader } from './sqlite-event-reader.ts'
import { StoreFiles } from './store-files.ts'
import { Subscriptions } from '../subscriptions.ts'

export class SqliteEventLog<E extends RecordedEvent = RecordedEvent>
  extends SqliteEventReader<E>
  implements EventLog<E>
{
  /** Whether a later start will read the same files. */
  readonly files: StoreFiles
  /** Writes beside the log, in the same transactions: what belongs in one database has one writer. */
  readonly commits: GroupCommit
  readonly #codec: EventCodec<E>
  readonly #subscriptions: Subscriptions<E>
  readonly #statements: ReturnType<typeof prepare>
  #closing = false

  constructor(options: { db: DatabaseSync; path: string; codec: EventCodec<E> }) {
    super(options)
    this.#codec = options.codec
    this.files = new StoreFiles(options.db, options.path)
    const transactions = transactionsOf(options.db, options.path)
    this.commits = new GroupCommit(this.files.guarding(transactions))
    this.#subscriptions = new Subscriptions((afterSeq, limit) => this.tail(afterSeq, limit))
    this.#statements = prepare(options.db)
  }

  async append(append: Append<E>): Promise<Appended<E>> {
    this.assertOpen()
    const checked = checkedAppend(this.#codec, append)
    // Serialised outside the transaction: what cannot be JSON fails its own caller only.
    const data = checked.events.map(dataOf)
    return this.commits.run(
      () => this.#write(checked, data),
      (appended) => {
        if (appended.ok) this.#subscriptions.publish(appended.entries)
      },
    )
  }

  subscribe(
    afterSeq: number,
    listener: (entries: readonly Entry<E>[]) => void,
    failed?: (error: Error) => void,
  ): () => void {
    this.assertOpen()
    return this.#subscriptions.add(afterSeq, listener, failed)
  }

  async closeStream(stream: StreamId): Promise<void> {
    this.assertOpen()
    await this.commits.run(() => this.#statements.close.run(stream))
  }

  async saveSnapshot(snapshot: Snapshot): Promise<void> {
    this.assertOpen()
    const { stream, version, seq, shape } = snapshot
    const state = JSON.stringify(snapshot.state)
    const written = await this.commits.run(() => {
      const chain = this.chainAt(stream, version)
      if (chain === null) return false
      this.#statements.snapshot.run(stream, version, seq, shape, state, snapshotChain(chain, shape, state))
      return true
    })
    if (!written)
      throw new RangeError(`cannot save a snapshot of ${stream} at version ${version}: no such version`)
  }

  override async close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    this.commits.drain()
    this.#subscriptions.endAll()
    this.files.release()
    await super.close()
  }

  /** Runs inside the transaction. Every reason to refuse comes before the first write. */
  #write(append: Append<E>, data: readonly string[]): Appended<E> {
    const { stream, expectedVersion, at, events } = append
    const { version, chain } = this.stream(stream) ?? { version: 0, chain: NO_EVENT }
    if (version !== expectedVersion) return { ok: false, why: 'conflict', version }
    let before = chain
    const entries = events.map((event, index): Entry<E> => {
      const place = { stream, version: version + index + 1, at }
      const { type, v } = event
      const json = data[index] ?? ''
      before = chainAfter(before, { ...place, type, v, data: json })
      const { lastInsertRowid } = this.#statements.event.run(stream, place.version, at, type, v, json, before)
      return { seq: Number(lastInsertRowid), ...place, event }
    })
    this.#statements.head.run(stream, version + events.length, before, repositoryOf(stream))
    return { ok: true, entries }
  }

  protected override assertOpen(): void {
    if (this.#closing) throw new Error('the log is closed')
  }
}

/** `<repository>/<plan>` belongs to its repository, a stream without a slash to none. */
function repositoryOf(stream: StreamId): string | null {
  const slash = stream.indexOf('/')
  return slash === -1 ? null : stream.slice(0, slash)
}

function prepare(db: DatabaseSync) {
  return {
    head: db.prepare(
      `insert into streams (stream, version, chain, closed, repo) values (?, ?, ?, 0, ?)
       on conflict (stream) do update set version = excluded.version, chain = excluded.chain, closed = 0`,
    ),
    close: db.prepare('update streams set closed = 1 where stream = ?'),
    event: db.prepare(
      'insert into events (stream, version, at, type, v, data, chain) values (?, ?, ?, ?, ?, ?, ?)',
    ),
    snapshot: db.prepare(
      `insert into snapshots (stream, version, seq, shape, state, chain) values (?, ?, ?, ?, ?, ?)
       on conflict (stream) do update
       set version = excluded.version, seq = excluded.seq, shape = excluded.shape, state = excluded.state,
         chain = excluded.chain
       where excluded.version >= snapshots.version`,
    ),
  }
}
