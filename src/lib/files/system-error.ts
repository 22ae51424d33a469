/** Words for errors of the system, which say more to a person than their codes. */
import { dirname } from 'node:path'
import { roomAt } from './full-disk.ts'
import type { RefusalCode } from '../refusal.ts'

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
  for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    const systemError: NodeJS.ErrnoException = cause
    const found = report(systemError, roomOf, MACHINE_ERRORS[systemError.code ?? ''])
    if (found !== null) return found
    cause = cause.cause
  }
  return null
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
