/** Words for errors of the system, which say more to a person than their codes. */
import { dirname } from 'node:path'
import type { RefusalCode } from '../refusal.ts'
import { statfsSync, type StatsFs } from 'node:fs'
import { orElse } from '../or-else.ts'

export interface SystemErrorReport {
  readonly code: RefusalCode
  readonly message: string
  readonly remedy: string
}

type Words = readonly [RefusalCode, string, string]

/** Errors about the path that was asked for. */
const PATH_ERRORS: Readonly<Record<string, Words>> = {
  ENOENT: ['not_found', 'no such file or directory', 'Check the path.'],
  ENOTDIR: ['not_found', 'not a directory', 'Check the path.'],
  EISDIR: ['failed', 'is a directory', 'Give the path of a file.'],
  ELOOP: ['failed', 'too many symbolic links', 'Check the path.'],
  ENAMETOOLONG: ['usage', 'file name too long', 'Check the path.'],
}

/** Errors about the machine, whatever path was asked for. */
const MACHINE_ERRORS: Readonly<Record<string, Words>> = {
  EACCES: ['failed', 'permission denied', 'Check its owner and permissions.'],
  EPERM: ['failed', 'operation not permitted', 'Check its owner and permissions.'],
  EROFS: ['failed', 'read-only file system', 'Choose a writable location.'],
  ENOSPC: ['failed', 'no space left on device', 'Free some space and try again.'],
  EDQUOT: ['failed', 'disk quota exceeded', 'Free some space and try again.'],
  EAGAIN: ['failed', 'cannot start more processes', 'Stop some, or raise the limit (ulimit -u).'],
  EMFILE: ['failed', 'too many open files', 'Raise the limit (ulimit -n) and try again.'],
  EIO: ['failed', 'input/output error', 'Check the disk.'],
}

const OUT_OF_FILES: Words = [
  'failed',
  'no free inodes on the disk',
  'Remove files from that disk and try again.',
]

const MAX_CAUSES = 5

/** Null for errors of another kind. `roomOf` returns the free space on the disk of a path. */
export function explainSystemError(error: NodeJS.ErrnoException, roomOf = roomAt): SystemErrorReport | null {
  const code = error.code ?? ''
  return report(error, roomOf, PATH_ERRORS[code] ?? MACHINE_ERRORS[code])
}

/** The refusal of the machine that an error or one of its causes reports; null if none does. */
export function explainMachineError(error: unknown, roomOf = roomAt): SystemErrorReport | null {
  for (const cause of causesOf(error)) {
    const found = report(cause, roomOf, MACHINE_ERRORS[cause.code ?? ''])
    if (found !== null) return found
  }
  return null
}

function* causesOf(error: unknown): Generator<NodeJS.ErrnoException> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    yield cause
    cause = cause.cause
  }
}

function report(
  error: NodeJS.ErrnoException,
  roomOf: typeof roomAt,
  words: Words | undefined,
): SystemErrorReport | null {
  const isOutOfFiles =
    error.code === 'ENOSPC' && error.path !== undefined && roomOf(dirname(error.path))?.isOutOfFiles === true
  const known = isOutOfFiles ? OUT_OF_FILES : words
  if (known === undefined) return null
  const [code, what, remedy] = known
  return { code, message: `${error.path ?? error.syscall ?? 'the system'}: ${what}`, remedy }
}

// Detects failures caused by a full disk, and full disks.

/** Less free space than this counts as full. */
const FULL_BYTES = 1024 * 1024
/** The same of files: one commit takes several, and gives some back when it fails for want of the rest. */
const FEW_FILES = 32
const CODES = new Set<unknown>(['ENOSPC', 'EDQUOT'])
/** As the C library says it, which is how git and most programs pass it on. */
const WORDS = /no space left on device|disk quota exceeded|disk is full/i

export const isFullDisk = (error: unknown): boolean =>
  [...causesOf(error)].some(({ code, message }) => CODES.has(code) || WORDS.test(message))

interface Room {
  readonly path: string
  readonly bytes: number
  /** Of the whole disk. */
  readonly totalBytes: number
  /** Whether it can hold no further files, however much room it has. */
  readonly isOutOfFiles: boolean
}

/** The space left at a path for this user; null where it is unknown. */
export function roomAt(path: string): Room | null {
  // Missing or unreachable; the caller's own access reports it.
  return orElse(() => roomIn(path, statfsSync(path)), null)
}

export function roomIn(path: string, disk: Omit<StatsFs, 'type' | 'bfree' | 'frsize'>): Room {
  const { bavail, blocks, bsize, files, ffree } = disk
  // File systems without a fixed number of files say 0 of 0.
  const isOutOfFiles = files > 0 && ffree < FEW_FILES
  return { path, bytes: isOutOfFiles ? 0 : bavail * bsize, totalBytes: blocks * bsize, isOutOfFiles }
}

/** In words, which of these folders is on a full disk; null where none is. */
export function fullDisk(paths: readonly string[]): string | null {
  const rooms = paths.flatMap((path) => roomAt(path) ?? [])
  const least = rooms.sort((one, other) => one.bytes - other.bytes)[0]
  return least === undefined || least.bytes >= FULL_BYTES ? null : fullDiskText(least.path, least)
}

/** Room for bytes and room for files run out apart, and are made in different ways. */
export function fullDiskText(where: string, room: Room | null = roomAt(where)): string {
  return room?.isOutOfFiles === true
    ? `the disk has no free inodes at ${where}; delete files there, and work resumes by itself`
    : `the disk is full: no space left at ${where}; free some, and work resumes by itself`
}

/** The code of an error of the system, such as `ENOENT`; undefined where there is none. */
export const errorCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
