/**
 * Where each stream stands, during one transaction. A stream is looked up once and written once, however many
 * appends of the group go to it. Nothing is kept from one transaction to the next: the database is the truth.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { StreamId } from '../../ports/event-log.ts'
import type { TransactionHooks } from './sqlite-connection.ts'

interface Head {
  version: number
  closed: 0 | 1
  /** As it is in the database. */
  readonly stored: { readonly version: number; readonly closed: 0 | 1 }
}

export class StreamHeads implements TransactionHooks {
  readonly #heads = new Map<StreamId, Head>()
  readonly #select: StatementSync
  readonly #insert: StatementSync
  readonly #advance: StatementSync
  readonly #close: StatementSync

  constructor(db: DatabaseSync) {
    this.#select = db.prepare('select version, closed from streams where stream = ?')
    this.#insert = db.prepare('insert into streams (stream, version, closed, repo) values (?, 0, 0, ?)')
    this.#advance = db.prepare('update streams set version = ? where stream = ?')
    this.#close = db.prepare('update streams set closed = ? where stream = ?')
  }

  /** Null for a stream that was never written. */
  version(stream: StreamId): number | null {
    return this.#head(stream)?.version ?? null
  }

  /** Moves an open stream, a closed one or a new one to `version`; it is open then. */
  advance(stream: StreamId, version: number): void {
    const head = this.#head(stream) ?? this.#create(stream)
    head.version = version
    head.closed = 0
  }

  close(stream: StreamId): void {
    const head = this.#head(stream)
    if (head !== null) head.closed = 1
  }

  begun(): void {
    this.#heads.clear()
  }

  committing(): void {
    for (const [stream, { version, closed, stored }] of this.#heads) {
      if (version !== stored.version) this.#advance.run(version, stream)
      // Apart, since it also touches the index of open streams, which most appends leave alone.
      if (closed !== stored.closed) this.#close.run(closed, stream)
    }
  }

  #head(stream: StreamId): Head | null {
    const known = this.#heads.get(stream)
    if (known !== undefined) return known
    const row = this.#select.get(stream)
    if (row === undefined) return null
    return this.#remember(stream, Number(row['version']), row['closed'] === 1 ? 1 : 0)
  }

  /** The row is there at once, since a snapshot in the same transaction refers to it. */
  #create(stream: StreamId): Head {
    this.#insert.run(stream, repositoryOf(stream))
    return this.#remember(stream, 0, 0)
  }

  #remember(stream: StreamId, version: number, closed: 0 | 1): Head {
    const head: Head = { version, closed, stored: { version, closed } }
    this.#heads.set(stream, head)
    return head
  }
}

/** `<repository>/<plan>` belongs to its repository, a stream without a slash to none. */
function repositoryOf(stream: StreamId): string | null {
  const slash = stream.indexOf('/')
  return slash === -1 ? null : stream.slice(0, slash)
}
