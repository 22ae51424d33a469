/** Connections to the database file, with the settings that make a commit durable. */
import { DatabaseSync } from 'node:sqlite'
import type { Transaction } from './group-commit.ts'
import { asStoreError } from '../store-error.ts'

const BUSY_TIMEOUT_MS = 5000
/** A log that grew in one large import gives its space back. */
const MAX_IDLE_WAL_BYTES = 64 * 1024 * 1024

/** Opens the one connection that writes. Throws StoreError. */
export function openWriter(path: string): DatabaseSync {
  return opening(path, () => {
    const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
    db.exec(`pragma synchronous = full; pragma journal_size_limit = ${MAX_IDLE_WAL_BYTES}`)
    // On macOS a plain fsync stops at the drive's cache.
    if (process.platform === 'darwin') db.exec('pragma fullfsync = on; pragma checkpoint_fullfsync = on')
    return db
  })
}

/**
 * SQLite opens a file that it may not write all the same, and then never writes through that connection, whatever becomes
 * of the file. It even begins transactions there, which only read: a write tells. Throws StoreError.
 */
export function requireWriter(db: DatabaseSync, path: string): void {
  try {
    db.exec('begin immediate')
    db.exec(`pragma user_version = ${pragmaNumber(db, 'user_version')}`)
  } catch (error) {
    throw asStoreError(error, path)
  } finally {
    if (db.isTransaction) db.exec('rollback')
  }
}

/** Opens a read-only connection beside the writer. Throws StoreError. */
export function openReader(path: string): DatabaseSync {
  return opening(path, () => new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS }))
}

function opening(path: string, open: () => DatabaseSync): DatabaseSync {
  try {
    return open()
  } catch (error) {
    throw asStoreError(error, path)
  }
}

/** The number of a pragma such as `user_version`. */
export function pragmaNumber(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`pragma ${name}`).get()?.[name])
}

/**
 * Transactions that take the write lock at once: one that begins by reading could not wait for it later.
 * Jobs are run without savepoints, since they fail next to never: when one does, its group is rolled back and
 * each job gets a transaction of its own. A failed commit is not tried again: what reached the disk is unknown.
 */
export function transactionsOf(db: DatabaseSync, path: string): Transaction {
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const rollback = db.prepare('rollback')

  const transaction: Transaction = (jobs) => {
    let committing = false
    try {
      begin.run()
      for (const job of jobs) job()
      committing = true
      commit.run()
      return jobs.map(() => null)
    } catch (error) {
      if (db.isTransaction) rollback.run()
      if (!committing && jobs.length > 1) return jobs.flatMap((job) => transaction([job]))
      const failure = asStoreError(error, path)
      return jobs.map(() => failure)
    }
  }
  return transaction
}
