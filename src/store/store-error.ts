/** A problem with the store that only a person can fix: what, where, and the remedy. */
import { dirname } from 'node:path'
import { roomAt } from '../lib/files/system-error.ts'

export type StoreProblem =
  | 'network_file_system'
  | 'sqlite_too_old'
  | 'not_a_store'
  | 'damaged'
  | 'other_schema'
  | 'busy'
  | 'disk_full'
  | 'not_writable'
  /** Another program removed, replaced or overwrote the files under a running Bosun. */
  | 'replaced'

export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly problem: StoreProblem
  readonly where: string
  readonly remedy: string
  constructor(options: {
    problem: StoreProblem
    what: string
    where: string
    remedy: string
    cause?: unknown
  }) {
    super(`${options.what}: ${options.where}`, { cause: options.cause })
    this.problem = options.problem
    this.where = options.where
    this.remedy = options.remedy
  }
}

export function damaged(where: string, what: string, cause?: unknown): StoreError {
  return new StoreError({
    problem: 'damaged',
    what,
    where,
    remedy:
      'Nothing was changed. Copy the file with its -wal and -shm files to a safe place, save what is still ' +
      'readable with `bosun export`, move the damaged file away, then `bosun import` the export or a backup.',
    cause,
  })
}

/** Nothing is readable: a write-ahead log is useless without its database. */
export function lostBesideLog(where: string): StoreError {
  return new StoreError({
    problem: 'damaged',
    what: 'the database is missing or empty, but its write-ahead log exists',
    where,
    remedy:
      `Nothing was changed. If the database was moved, move it back next to its log (${where}-wal). Otherwise move ${where}* to ` +
      'another folder and restore a backup, or `bosun import` an export. Agents that are still running continue; the ' +
      'next command lists them.',
  })
}

export function notWritable(where: string, cause: unknown): StoreError {
  return new StoreError({
    problem: 'not_writable',
    what: `the database cannot be opened or written (${cause instanceof Error ? cause.message : ''})`,
    where,
    remedy: 'Check the owner and permissions of the file and its folder, and the disk itself.',
    cause,
  })
}

/** `kept` is the file with everything that was recorded; null where it was unreadable. */
export function replaced(found: {
  readonly where: string
  readonly why: string
  readonly kept: string | null
}): StoreError {
  const { where, why, kept } = found
  const lost =
    kept === null
      ? 'what was recorded since the last backup is lost'
      : `everything recorded before that is in ${kept}`
  return new StoreError({
    problem: 'replaced',
    what: `the database ${why} by another program while Bosun had it open; recording has stopped, and ${lost}`,
    where,
    remedy: kept === null ? RESTORE : useRescue(where, kept),
  })
}

/** The database is missing, but a rescued copy exists. */
export function waitingRescue(where: string, kept: string): StoreError {
  return new StoreError({
    problem: 'replaced',
    what: `the database is missing or empty; what it recorded is in ${kept}`,
    where,
    remedy: `${useRescue(where, kept)} To start empty instead, move ${kept} to another folder.`,
  })
}

const RESTORE =
  'Restore a backup, or `bosun import` an export into a new state root (BOSUN_HOME). Agents that are still running ' +
  'continue; the next start lists those it does not know.'

const useRescue = (where: string, kept: string): string =>
  `To use it: mv ${kept} ${where}, then run any command, such as bosun status.`

/** SQLite's primary result codes that mean something to a person. */
const BUSY = 5
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

/** An error of SQLite as a StoreError where a person can do something about it; any other error as it is. */
export function asStoreError(error: unknown, where: string): Error {
  switch (primaryCode(error)) {
    case BUSY:
      return new StoreError({
        problem: 'busy',
        what: 'another program has been writing to the database for more than 5 seconds',
        where,
        remedy: 'Close the other program (a database browser, a backup) and try again.',
        cause: error,
      })
    case FULL:
      return new StoreError({
        problem: 'disk_full',
        what: isOutOfFiles(where)
          ? 'the disk has no free inodes; nothing was written'
          : 'the disk is full; nothing was written',
        where,
        remedy: isOutOfFiles(where)
          ? 'Delete files on that disk, or set BOSUN_HOME to another disk.'
          : 'Free some space, or set BOSUN_HOME to another disk.',
        cause: error,
      })
    case READ_ONLY:
    case CANNOT_OPEN:
    case IO_ERROR:
      return notWritable(where, error)
    case CORRUPT:
      return damaged(where, 'the database is damaged', error)
    case NOT_A_DATABASE:
      return damaged(where, 'the file is not an SQLite database, or its beginning is damaged', error)
    case null:
    default:
      return error instanceof Error ? error : new Error(String(error))
  }
}

const isOutOfFiles = (where: string): boolean => roomAt(dirname(where))?.isOutOfFiles ?? false

/** The lower byte of SQLite's extended result code; null for errors that are not SQLite's. */
export function primaryCode(error: unknown): number | null {
  const code: unknown = error instanceof Error && 'errcode' in error ? error.errcode : null
  return typeof code === 'number' ? code & 0xff : null
}
