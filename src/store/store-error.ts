/** What only a person can put right: what is wrong with the store, where, and what to do. */
import { dirname } from 'node:path'
import { roomAt } from '../lib/files/full-disk.ts'

export type StoreProblem =
  | 'network_file_system'
  | 'sqlite_too_old'
  | 'not_a_store'
  | 'damaged'
  | 'newer_schema'
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
      'Nothing was changed. Copy the file and its -wal and -shm neighbours to a safe place, write what can still ' +
      'be read with `bosun export`, move the damaged file away, and `bosun import` the export (or a backup).',
    cause,
  })
}

/** Nothing can be read of it: a write-ahead log is of use to its own database only. */
export function lostBesideLog(where: string): StoreError {
  return new StoreError({
    problem: 'damaged',
    what: 'the database is gone or empty, but its write-ahead log is still there',
    where,
    remedy:
      `Nothing was changed. If the database was moved, put it back beside its log (${where}-wal). Else move ${where}* to ` +
      'another folder and put a backup in its place, or `bosun import` an export; agents that still run go on, and the ' +
      'next command names them.',
  })
}

export function notWritable(where: string, cause: unknown): StoreError {
  return new StoreError({
    problem: 'not_writable',
    what: `the database cannot be opened or written (${cause instanceof Error ? cause.message : ''})`,
    where,
    remedy: 'Check the owner and the permissions of the file and its folder, and the health of the disk.',
    cause,
  })
}

/** `kept` is the file that holds everything that was recorded; null where it could not be read any more. */
export function replaced(found: {
  readonly where: string
  readonly why: string
  readonly kept: string | null
}): StoreError {
  const { where, why, kept } = found
  const lost =
    kept === null
      ? 'what was recorded since the last backup could not be read any more'
      : `everything recorded until then is in ${kept}`
  return new StoreError({
    problem: 'replaced',
    what: `the database ${why} by another program while Bosun had it open; nothing more is recorded, and ${lost}`,
    where,
    remedy: kept === null ? RESTORE : restoreProtected(where, kept),
  })
}

/** The database is not there, and what an earlier Bosun kept of it is. */
export function waitingRescue(where: string, kept: string): StoreError {
  return new StoreError({
    problem: 'replaced',
    what: `the database is gone or empty; what was recorded in it is in ${kept}`,
    where,
    remedy: `${restoreProtected(where, kept)} To begin with nothing instead, move ${kept} to another folder.`,
  })
}

const RESTORE =
  'Put a backup in its place, or `bosun import` an export into a new state root (BOSUN_HOME). Agents that still run ' +
  'go on; the next start names those it does not know.'

const restoreProtected = (where: string, kept: string): string =>
  `To go on with it: mv ${kept} ${where}, then any command, for example bosun status.`

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
        remedy: 'Close whatever else has the file open (a database browser, a backup) and try again.',
        cause: error,
      })
    case FULL:
      return new StoreError({
        problem: 'disk_full',
        what: isOutOfFiles(where)
          ? 'the disk can hold no more files (no inode is free), nothing was written'
          : 'the disk is full, nothing was written',
        where,
        remedy: isOutOfFiles(where)
          ? 'Remove files from that disk, or set BOSUN_HOME to another one.'
          : 'Free some space, or set BOSUN_HOME to a disk that has some.',
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
