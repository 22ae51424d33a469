/** Reading the log from SQLite, on any connection. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type {
  Entry,
  EventCodec,
  EntryToShow,
  EventReader,
  RecordedEvent,
  Search,
  Snapshot,
  StreamId,
  StreamInfo,
} from '../../ports/event-log.ts'
import { checkPage } from '../checked-append.ts'
import { NO_EVENT, snapshotChain } from './event-chain.ts'
import { changedByHand, ENTRY_COLUMNS, entryOf, missingEvent, type EntryRow } from './entry-rows.ts'
import { asStoreError } from '../store-error.ts'

export class SqliteEventReader<E extends RecordedEvent = RecordedEvent> implements EventReader<E> {
  readonly #db: DatabaseSync
  readonly #path: string
  readonly #codec: EventCodec<E>
  readonly #statements: ReturnType<typeof prepare>
  #closed = false

  constructor(options: { db: DatabaseSync; path: string; codec: EventCodec<E> }) {
    this.#db = options.db
    this.#path = options.path
    this.#codec = options.codec
    this.#statements = this.#asking(() => prepare(options.db))
  }

  async read(stream: StreamId, afterVersion: number, limit: number): Promise<readonly Entry<E>[]> {
    this.assertOpen()
    checkPage(afterVersion, limit)
    // The end is asked for first: another process may write between the two statements.
    const head = this.stream(stream)
    const end = head?.version ?? 0
    const rows = this.#rows(this.#statements.read, stream, afterVersion, limit)
    const entries = rows.map((row, index) => {
      if (row.version !== afterVersion + index + 1) throw gap(row.stream, afterVersion + index + 1, row.seq)
      if (row.seq <= (rows[index - 1]?.seq ?? 0)) throw changedByHand(row)
      return entryOf(this.#codec, row)
    })
    const reached = afterVersion + entries.length
    if (entries.length < limit && reached < end) throw gap(stream, reached + 1, null)
    if (head !== null && afterVersion <= end && reached >= end) {
      const last = end === afterVersion ? this.chainAt(stream, end) : rows[end - afterVersion - 1]?.chain
      if (last !== head.chain) throw changedByHand({ stream, seq: null })
    }
    return entries
  }

  async search(stream: StreamId, { afterVersion, limit, types, texts }: Search) {
    this.assertOpen()
    checkPage(afterVersion, limit)
    const version = Math.max(afterVersion, Math.min(afterVersion + limit, this.stream(stream)?.version ?? 0))
    const wanted = [
      ...(types.length === 0 ? [] : [`type in (${types.map(() => '?').join(', ')})`]),
      ...texts.map(() => 'data glob ?'),
    ]
    if (wanted.length === 0) return { entries: [], version }
    const statement = this.#asking(() =>
      this.#db.prepare(
        `select ${ENTRY_COLUMNS} from events where stream = ? and version > ? and version <= ?
         and (${wanted.join(' or ')}) order by version`,
      ),
    )
    const rows = this.#rows(statement, stream, afterVersion, version, ...types, ...texts.map(containing))
    return { entries: rows.map((row) => entryOf(this.#codec, row)), version }
  }

  async tail(afterSeq: number, limit: number): Promise<readonly Entry<E>[]> {
    this.assertOpen()
    checkPage(afterSeq, limit)
    const end = this.#lastSeq()
    const rows = this.#rows(this.#statements.tail, afterSeq, limit)
    // One writer, and nothing is ever deleted: sequence numbers have no gaps.
    const entries = rows.map((row, index) => {
      if (row.seq !== afterSeq + index + 1) throw lost(afterSeq + index + 1, row.stream)
      return entryOf(this.#codec, row)
    })
    const reached = afterSeq + entries.length
    if (entries.length < limit && reached < end) throw lost(reached + 1, 'an unknown stream')
    return entries
  }

  async back(
    beforeSeq: number,
    limit: number,
    prefixes: readonly string[],
  ): Promise<readonly EntryToShow<E>[]> {
    this.assertOpen()
    checkPage(beforeSeq, limit)
    const asked = JSON.stringify(prefixes)
    return this.#rows(this.#statements.back, beforeSeq, asked, limit).map(({ seq, stream, version, at }) => ({
      seq,
      stream,
      version,
      at,
      event: () => {
        const [row] = this.#rows(this.#statements.tail, seq - 1, 1)
        if (row?.seq !== seq) throw lost(seq, stream)
        return entryOf(this.#codec, row).event
      },
    }))
  }

  async streams(filter: { readonly open: boolean }): Promise<readonly StreamInfo[]> {
    this.assertOpen()
    const rows = this.#asking(() => this.#statements.streams.all(filter.open ? 0 : 1))
    return rows.map((row) => ({
      stream: String(row['stream']),
      version: Number(row['version']),
      closed: !filter.open,
    }))
  }

  async loadSnapshot(stream: StreamId): Promise<Snapshot | null> {
    this.assertOpen()
    const row = this.#asking(() => this.#statements.snapshot.get(stream))
    if (row === undefined) return null
    const [version, seq, shape] = [Number(row['version']), Number(row['seq']), Number(row['shape'])]
    const chain = this.chainAt(stream, version)
    if (chain === null || row['chain'] !== snapshotChain(chain, shape, String(row['state']))) return null
    const state = parsed(String(row['state']))
    return state === undefined ? null : { stream, version, seq, shape, state }
  }

  async head(): Promise<number> {
    this.assertOpen()
    return this.#lastSeq()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#asking(() => this.#db.close())
  }

  protected assertOpen(): void {
    if (this.#closed) throw new Error('the log is closed')
  }

  /** Its last event; null for a stream that was never written. */
  protected stream(stream: StreamId): { readonly version: number; readonly chain: string } | null {
    const row = this.#asking(() => this.#statements.stream.get(stream))
    return row === undefined ? null : { version: Number(row['version']), chain: String(row['chain']) }
  }

  /** The hash of an event; null where there is none. */
  protected chainAt(stream: StreamId, version: number): string | null {
    if (version === 0) return NO_EVENT
    const row = this.#asking(() => this.#statements.chain.get(stream, version))
    return row === undefined ? null : String(row['chain'])
  }

  #lastSeq(): number {
    return Number(this.#asking(() => this.#statements.lastSeq.get())?.['seq'] ?? 0)
  }

  /** The columns are ENTRY_COLUMNS, their types are the table's (it is STRICT). */
  #rows(statement: StatementSync, ...parameters: (string | number)[]): EntryRow[] {
    return this.#asking(() => statement.all(...parameters)) as unknown as EntryRow[]
  }

  #asking<T>(ask: () => T): T {
    try {
      return ask()
    } catch (error) {
      throw asStoreError(error, this.#path)
    }
  }
}

/** As a pattern, which is twice as fast as `instr`. */
const containing = (text: string): string => `*${text.replace(/[*?[]/g, '[$&]')}*`

function prepare(db: DatabaseSync) {
  const columns = ENTRY_COLUMNS
  return {
    read: db.prepare(
      `select ${columns} from events where stream = ? and version > ? order by version limit ?`,
    ),
    tail: db.prepare(`select ${columns} from events where seq > ? order by seq limit ?`),
    // By place, not by stream: what is asked for is mostly near the end. The events of large plans are read if needed.
    back: db.prepare(
      `select seq, stream, version, at from events where seq < ?
       and exists (select 1 from json_each(?) where substr(stream, 1, length(value)) = value) order by seq desc limit ?`,
    ),
    lastSeq: db.prepare(`select seq from sqlite_sequence where name = 'events'`),
    stream: db.prepare('select version, chain from streams where stream = ?'),
    chain: db.prepare('select chain from events where stream = ? and version = ?'),
    streams: db.prepare('select stream, version from streams where closed = ? order by stream'),
    snapshot: db.prepare('select version, seq, shape, state, chain from snapshots where stream = ?'),
  }
}

/** A snapshot is a shortcut: one that cannot be read is as good as none, since the log has it all. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function gap(stream: StreamId, version: number, seq: number | null) {
  return missingEvent({ stream, seq, problem: `version ${version} is missing` })
}

function lost(seq: number, stream: string) {
  return missingEvent({ stream, seq, problem: 'it is missing' })
}
