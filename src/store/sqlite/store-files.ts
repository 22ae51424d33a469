/**
 * Whether the files of the database are still the ones this process has open. SQLite goes on writing to a file that was
 * removed or replaced, which no later start would read. So the files are checked around every commit; a check that finds
 * them unchanged costs two calls of stat.
 */
import { closeSync, openSync, readSync, renameSync, rmSync, statSync, type BigIntStats } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Transaction } from './group-commit.ts'
import { APPLICATION_ID } from './schema.ts'
import { replaced, type StoreError } from '../store-error.ts'

interface FileLook {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
}

/** How every file of SQLite begins. */
const MAGIC = 'SQLite format 3\0'

type Files = Readonly<Record<'database' | 'wal', FileLook | null>>

export class StoreFiles {
  readonly #db: DatabaseSync
  readonly #path: string
  readonly #lost = Promise.withResolvers<StoreError>()
  /** Open as long as the connection is: to close it earlier would drop SQLite's own locks on the file. */
  readonly #file: number
  #known: Files
  #error: StoreError | null = null
  #released = false
  /**
   * A second connection, which cannot write. As long as it is open, SQLite does not write the log back when the first
   * one is closed: for files that are not ours any more it stays open.
   */
  #guard: DatabaseSync

  constructor(db: DatabaseSync, path: string) {
    this.#db = db
    this.#path = path
    this.#file = openSync(path, 'r')
    // A first read, so that SQLite has its write-ahead log open.
    db.prepare('select count(*) from sqlite_schema').get()
    this.#known = this.#look()
    this.#guard = openGuard(path)
  }

  /** Resolves once the files are not ours any more. Never rejects. */
  get lost(): Promise<StoreError> {
    return this.#lost.promise
  }

  /** Looks at the files now. Null while they are ours; what can be repaired is. */
  check(): StoreError | null {
    if (this.#error !== null || this.#released) return this.#error
    const now = this.#look()
    const why = isAsLeft(now, this.#known) ? null : this.#damageOf(now)
    return why === null ? null : this.#lose(why)
  }

  /** The same transactions, none of them acknowledged unless its files are those that a later start will read. */
  guarding(transaction: Transaction): Transaction {
    return (jobs) => {
      const before = this.check()
      if (before !== null) return jobs.map(() => before)
      const failures = transaction(jobs)
      const now = this.#look()
      if (isOurs(now.database, this.#known.database) && isOurs(now.wal, this.#known.wal)) {
        this.#known = now
        return failures
      }
      const after = this.check()
      return after === null ? failures : jobs.map(() => after)
    }
  }

  #look(): Files {
    return { database: lookAt(this.#path), wal: lookAt(`${this.#path}-wal`) }
  }

  /** The damage that another program did; null where there is none, or it was repaired. */
  #damageOf(now: Files): string | null {
    const { database, wal } = this.#known
    if (now.database === null) return 'was removed'
    if (!isOurs(now.database, database)) return 'was replaced by another file'
    // It never shrinks by itself. SQLite would take an empty one for a new database and remove the log beside it.
    if (database !== null && now.database.size < database.size)
      return now.database.size === 0n ? 'was emptied' : 'was cut off'
    if (!isOurs(now.wal, wal)) {
      if (!isUntouched(now.database, database) && !this.#isSound()) return 'was overwritten'
      return this.#renewLog(now.wal !== null) ? null : 'lost its write-ahead log (-wal), which was removed'
    }
    if (!this.#isSound()) return 'or its write-ahead log (-wal) was overwritten'
    this.#known = now
    return null
  }

  /** Whether the files hold what this connection sees, read past its cache. */
  #isSound(): boolean {
    return this.#hasHeader() && holdsTheSame(this.#path, this.#db)
  }

  /** A start reads it before anything else, whatever the log beside it holds. */
  #hasHeader(): boolean {
    const header = Buffer.alloc(72)
    readSync(this.#file, header, 0, header.length, 0)
    return header.toString('latin1', 0, MAGIC.length) === MAGIC && header.readUInt32BE(68) === APPLICATION_ID
  }

  /** The log that was removed is still open here: its content goes into the database, and a new one is begun. */
  #renewLog(isReplaced: boolean): boolean {
    try {
      this.#db.exec('pragma wal_checkpoint(full)')
      this.#guard.close()
      if (isReplaced) renameSync(`${this.#path}-wal`, `${this.#path}-wal.unknown-${stamp()}`)
      this.#db.exec('pragma journal_mode = delete')
      const mode = this.#db.prepare('pragma journal_mode = wal').get()?.['journal_mode']
      this.#db.prepare('select count(*) from sqlite_schema').get()
      this.#known = this.#look()
      this.#guard = openGuard(this.#path)
      return mode === 'wal' && this.#known.wal !== null && this.#isSound()
    } catch {
      // Another program reads it, or it cannot be written: then nothing more is acknowledged.
      return false
    }
  }

  #lose(why: string): StoreError {
    const kept = this.#rescue()
    this.#putLogAside()
    this.#error = replaced({ where: this.#path, why, kept })
    this.#lost.resolve(this.#error)
    return this.#error
  }

  /** Writes what this connection can still read into a file of its own; null where that is not all of it. */
  #rescue(): string | null {
    const target = `${this.#path}.rescued-${stamp()}`
    try {
      this.#db.prepare('vacuum into ?').run(target)
      if (holdsTheSame(target, this.#db)) return target
    } catch {
      // What cannot be read cannot be kept.
    }
    rmSync(target, { force: true })
    return null
  }

  /** The old log must not be applied to the database that is there now. */
  #putLogAside(): void {
    const path = `${this.#path}-wal`
    if (!isOurs(lookAt(path), this.#known.wal)) return
    try {
      renameSync(path, `${path}.old-${stamp()}`)
    } catch {
      // It is gone, or the folder cannot be written: the message says what to do.
    }
  }

  /** Before the connection is closed. Nothing of it reaches files that are not ours. */
  release(): void {
    if (this.#released || this.check() !== null) return
    this.#released = true
    this.#guard.close()
    closeSync(this.#file)
  }
}

function openGuard(path: string): DatabaseSync {
  const guard = new DatabaseSync(path, { readOnly: true })
  guard.prepare('select count(*) from sqlite_schema').get()
  return guard
}

/** Whether a file is a sound database with all events of another. */
function holdsTheSame(path: string, other: DatabaseSync): boolean {
  try {
    using db = new DatabaseSync(path, { readOnly: true })
    const [finding] = db.prepare('pragma quick_check(1)').all()
    return Object.values(finding ?? {})[0] === 'ok' && lastSeq(db) === lastSeq(other)
  } catch {
    // It cannot be read, so it is not what was written.
    return false
  }
}

function lastSeq(db: DatabaseSync): number {
  return Number(db.prepare("select seq from sqlite_sequence where name = 'events'").get()?.['seq'] ?? 0)
}

function lookAt(path: string): FileLook | null {
  const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ?? null
}

const isOurs = (now: FileLook | null, known: FileLook | null): boolean =>
  now === null || known === null ? now === known : now.ino === known.ino && now.dev === known.dev

const isUntouched = (now: FileLook | null, known: FileLook | null): boolean =>
  isOurs(now, known) && now?.size === known?.size && now?.mtimeNs === known?.mtimeNs

const isAsLeft = (now: Files, known: Files): boolean =>
  isUntouched(now.database, known.database) && isUntouched(now.wal, known.wal)

const stamp = (): string => new Date().toISOString().replaceAll(/[:.]/g, '-')
