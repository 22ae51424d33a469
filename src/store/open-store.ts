/** The store as a whole: the log, the notes and the repositories in one database, one writer per state root. */
import { constants } from 'node:fs'
import { access, chmod, open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { NoteLog } from '../ports/note-log.ts'
import type { EventCodec, EventLog, EventReader, RecordedEvent } from '../ports/event-log.ts'
import type { Repositories } from '../ports/repositories.ts'
import { NOT_NEEDED, startIntegrityCheck, type Integrity } from './sqlite/integrity.ts'
import { acquireLock, type Lock } from './sqlite/lock.ts'
import { prepareSchema, schemaState } from './sqlite/schema.ts'
import { openReader, openWriter, requireWriter } from './sqlite/sqlite-connection.ts'
import { SqliteNoteLog } from './sqlite/sqlite-note-log.ts'
import { SqliteEventLog } from './sqlite/sqlite-event-log.ts'
import { SqliteEventReader } from './sqlite/sqlite-event-reader.ts'
import { SqliteRepositories } from './sqlite/sqlite-repositories.ts'
import { createStateRoot } from './state-root.ts'
import { lostBesideLog, notWritable, waitingRescue, StoreError } from './store-error.ts'
import { errorCode } from '../lib/files/system-error.ts'
import { DatabaseSync } from 'node:sqlite'

export interface Store<E extends RecordedEvent = RecordedEvent> {
  readonly log: EventLog<E>
  readonly repositories: Repositories
  readonly notes: NoteLog
  /** The state root's real path. */
  readonly root: string
  /** The result of the integrity check after an unclean shutdown. Never rejects. */
  readonly integrity: Promise<Integrity>
  /** Resolves when another program has removed or replaced the files and recording has stopped. Never rejects. */
  readonly lost: Promise<StoreError>
  /** Checks the files now; null while they are ours. */
  lostNow(): StoreError | null
  /** Waits for pending writes, then releases the lock. Idempotent. */
  close(): Promise<void>
}

export type OpenedStore<E extends RecordedEvent = RecordedEvent> =
  | { readonly ok: true; readonly store: Store<E> }
  | { readonly ok: false; readonly why: 'held'; readonly pid: number | null }

export interface StoreForReading<E extends RecordedEvent = RecordedEvent> {
  readonly log: EventReader<E>
  readonly repositories: Pick<Repositories, 'find' | 'list'>
  readonly notes: Pick<NoteLog, 'claims' | 'back'>
  close(): Promise<void>
}

export type OpenedForReading<E extends RecordedEvent = RecordedEvent> =
  | { readonly ok: true; readonly store: StoreForReading<E> }
  /** Nothing was ever written here. */
  | { readonly ok: false }

interface Place<E extends RecordedEvent> {
  readonly root: string
  readonly codec: EventCodec<E>
}

/** Opens the store for writing, creating it if needed. Throws StoreError for problems that only a person can fix. */
export async function openStore<E extends RecordedEvent>(place: Place<E>): Promise<OpenedStore<E>> {
  refuseOldSqlite()
  const root = await createStateRoot(place.root)
  const locked = await acquireLock(root)
  if (!locked.ok) return locked
  const { lock } = locked
  try {
    return { ok: true, store: await openLocked({ root, codec: place.codec }, lock) }
  } catch (error) {
    // Nothing was written, so this start changes nothing for the next one.
    await lock.release(lock.before)
    throw error
  }
}

async function openLocked<E extends RecordedEvent>({ root, codec }: Place<E>, lock: Lock): Promise<Store<E>> {
  const path = join(root, 'bosun.db')
  await createDatabaseFile(path)
  await makeNeighboursWritable(path)
  const db = openWriter(path)
  try {
    prepareSchema(db, path)
    requireWriter(db, path)
    const log = new SqliteEventLog({ db, path, codec })
    const repositories = new SqliteRepositories(db, log.commits)
    const notes = new SqliteNoteLog(db, log.commits)
    const check = lock.before === 'unclean' ? startIntegrityCheck(path) : NOT_NEEDED
    const close = async () => {
      await check.stop()
      let end: 'clean' | 'unclean' = 'unclean'
      try {
        await log.close()
        if (log.files.check() === null) end = 'clean'
      } finally {
        await lock.release(end)
      }
    }
    const { files } = log
    const lost = { lost: files.lost, lostNow: () => files.check() }
    return { log, repositories, notes, root, integrity: check.result, ...lost, close }
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * For its owner alone; the files SQLite puts beside it are like it. SQLite would take an empty file for a new
 * database and throw away the write-ahead log beside it. Ours is marked before it ever has one, so an empty file
 * with a log was a database once.
 */
async function createDatabaseFile(path: string): Promise<void> {
  if ((await sizeOf(path)) > 0) return
  await refuseLostDatabase(path)
  try {
    await (await open(path, 'a', 0o600)).close()
  } catch (error) {
    throw notWritable(path, error)
  }
}

/** SQLite gives its files beside the database the permissions of the database: after it was read-only they still are. */
async function makeNeighboursWritable(path: string): Promise<void> {
  const isWritable = (file: string): Promise<boolean> =>
    access(file, constants.W_OK).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    )
  if (!(await isWritable(path))) return
  for (const file of [`${path}-wal`, `${path}-shm`]) {
    // SQLite reports a file of another owner.
    if (!(await isWritable(file))) await chmod(file, 0o600).catch(() => undefined)
  }
}

/** Refuses to create an empty database next to the remains of an earlier one. Throws StoreError. */
export async function refuseLostDatabase(path: string): Promise<void> {
  if ((await sizeOf(path)) > 0) return
  if ((await sizeOf(`${path}-wal`)) > 0) {
    throw lostBesideLog(path)
  }
  const rescued = await rescuedBeside(path)
  if (rescued !== null) throw waitingRescue(path, rescued)
}

/** The newest file rescued when an earlier database was removed; null where there is none. */
async function rescuedBeside(path: string): Promise<string | null> {
  // Without the folder there is nothing beside it.
  const names = await readdir(dirname(path)).catch(() => [])
  const kept = names.filter((name) => name.startsWith(`${basename(path)}.rescued-`)).sort()
  const newest = kept.at(-1)
  return newest === undefined ? null : join(dirname(path), newest)
}

/** Opens the store for reading beside its writer. Throws StoreError. */
export async function openStoreForReading<E extends RecordedEvent>(
  place: Place<E>,
): Promise<OpenedForReading<E>> {
  refuseOldSqlite()
  const path = join(place.root, 'bosun.db')
  if ((await sizeOf(path)) === 0) return { ok: false }
  const db = openReader(path)
  try {
    if (schemaState(db, path) === 'empty') {
      db.close()
      return { ok: false }
    }
    const log = new SqliteEventReader({ db, path, codec: place.codec })
    const repositories = new SqliteRepositories(db, null)
    const notes = new SqliteNoteLog(db, null)
    return { ok: true, store: { log, repositories, notes, close: () => log.close() } }
  } catch (error) {
    if (db.isOpen) db.close()
    throw error
  }
}

/** 0 if there is no such file. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0
    throw error
  }
}

/** Which SQLite is safe: before 3.51.3 a checkpoint at the wrong moment could damage a database in WAL mode. */
const OLDEST = [3, 51, 3] as const

/** Throws StoreError. */
export function refuseOldSqlite(version: string = linkedVersion()): void {
  if (isSafe(version)) return
  throw new StoreError({
    problem: 'sqlite_too_old',
    what: `SQLite ${version} can corrupt databases in WAL mode; Bosun needs ${OLDEST.join('.')} or newer`,
    where: process.execPath,
    remedy: 'Use Node 24.15 or newer.',
  })
}

function isSafe(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, least] of OLDEST.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return part > least
  }
  return true
}

function linkedVersion(): string {
  const db = new DatabaseSync(':memory:')
  const version = String(db.prepare('select sqlite_version() as version').get()?.['version'])
  db.close()
  return version
}
