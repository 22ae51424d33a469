/**
 * One writer per state root. The lock is an exclusive transaction held open in `lock.db`: the system frees it
 * when its process ends, however it ends. `lock.pid` beside it says who holds it, for people to read; whether the
 * holder lives is never concluded from it. The file goes with a clean end, so finding it means an unclean one.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { asStoreError, primaryCode } from '../store-error.ts'
import { errorCode } from '../../lib/files/system-error.ts'

const BUSY = 5

export type Locked =
  | { readonly ok: true; readonly lock: Lock }
  /** `pid` is what the holder wrote down, null if it cannot be read. */
  | { readonly ok: false; readonly why: 'held'; readonly pid: number | null }

export interface Lock {
  /** How the holder before this one ended; `clean` if there was none. */
  readonly before: 'clean' | 'unclean'
  /** `clean` says that everything this process wrote is safe in the database. Idempotent. */
  release(end: 'clean' | 'unclean'): Promise<void>
}

/** Answers at once, without waiting for the holder. Throws StoreError if the root cannot be written. */
export async function acquireLock(root: string): Promise<Locked> {
  const path = join(root, 'lock.db')
  const pidPath = join(root, 'lock.pid')
  const db = heldBy(path)
  if (db === null) return { ok: false, why: 'held', pid: (await readMarker(pidPath))?.pid ?? null }
  try {
    const before = (await readMarker(pidPath)) === null ? 'clean' : 'unclean'
    // Durable: after a power cut the next start must know that this one did not end.
    atomicWriteSync(pidPath, `${process.pid}\n`)
    return { ok: true, lock: { before, release: (end) => release(db, end === 'clean' ? pidPath : null) } }
  } catch (error) {
    db.close()
    throw asStoreError(error, path)
  }
}

/** The connection that now holds the lock; null if another one does. */
function heldBy(path: string): DatabaseSync | null {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(path, { timeout: 0 })
    db.exec('begin exclusive')
    return db
  } catch (error) {
    db?.close()
    if (primaryCode(error) === BUSY) return null
    throw asStoreError(error, path)
  }
}

async function release(db: DatabaseSync, pidPath: string | null): Promise<void> {
  if (!db.isOpen) return
  // Still locked, so the file is our own.
  if (pidPath !== null) await rm(pidPath, { force: true })
  if (db.isOpen) db.close()
}

/** Null without a file. An unreadable or truncated file has a null `pid`. */
async function readMarker(pidPath: string): Promise<{ readonly pid: number | null } | null> {
  try {
    const pid = Number.parseInt(await readFile(pidPath, 'utf8'), 10)
    return { pid: Number.isSafeInteger(pid) ? pid : null }
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? null : { pid: null }
  }
}
