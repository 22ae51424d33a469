/** Turns any thrown value into an error report for people and scripts. */
import { dirname } from 'node:path'
import { roomAt } from '../lib/files/full-disk.ts'
import { Refusal, type Fault, type RefusalCode } from '../lib/refusal.ts'
import type { Style } from './terminal/terminal.ts'

export interface ErrorReport {
  /** `internal` is a bug in Bosun; its exit code is that of `failed`. */
  readonly code: RefusalCode | 'internal'
  readonly message: string
  readonly remedy: string
  readonly faults: readonly Fault[]
  /** Both sides of a conflict. */
  readonly details?: Refusal['details']
}

/** `roomOf` returns the free space on the disk of a path. */
export function explainError(error: unknown, roomOf = roomAt): ErrorReport {
  if (error instanceof Refusal) {
    const { code, message, remedy, faults, details } = error
    return { code, message, remedy, faults, details }
  }
  if (!(error instanceof Error)) return internal(String(error))
  if ('remedy' in error && typeof error.remedy === 'string') {
    return { code: 'failed', message: error.message, remedy: error.remedy, faults: [] }
  }
  return systemError(error, roomOf) ?? internal(error.message)
}

/** `file:line: error: message` for each fault, or `error: message`; the remedy below. */
export function errorText(report: ErrorReport, style: Style): string {
  const mark = style.red('error:')
  if (report.faults.length === 0) return `${mark} ${report.message}\n  ${report.remedy}\n`
  return report.faults
    .map(
      (fault) =>
        `${style.bold(`${fault.file}:${fault.line}:`)} ${mark} ${fault.message}\n  ${fault.remedy}\n`,
    )
    .join('')
}

export function errorDocument(report: ErrorReport): Readonly<Record<string, unknown>> {
  const { code, message, remedy, faults, details = null } = report
  return {
    schema: 'bosun.error/v1',
    error: {
      code,
      message,
      remedy,
      ...(faults.length === 0 ? {} : { problems: faults }),
      ...(details === null ? {} : { details }),
    },
  }
}

function internal(message: string): ErrorReport {
  return {
    code: 'internal',
    message: `internal error: ${message.split('\n', 1)[0] ?? ''}`,
    remedy:
      'This is a bug in Bosun. Please report it with the output of the same command under BOSUN_DEBUG=1.',
    faults: [],
  }
}

const SYSTEM_ERRORS: Readonly<Record<string, readonly [RefusalCode, string, string]>> = {
  ENOENT: ['not_found', 'no such file or directory', 'Check the path.'],
  ENOTDIR: ['not_found', 'not a directory', 'Check the path.'],
  EISDIR: ['failed', 'is a directory', 'Give the path of a file.'],
  EACCES: ['failed', 'permission denied', 'Check its owner and permissions.'],
  EPERM: ['failed', 'operation not permitted', 'Check its owner and permissions.'],
  EROFS: ['failed', 'read-only file system', 'Choose a writable location.'],
  ENOSPC: ['failed', 'no space left on device', 'Free some space and try again.'],
  EDQUOT: ['failed', 'disk quota exceeded', 'Free some space and try again.'],
  EAGAIN: ['failed', 'cannot start more processes', 'Stop some, or raise the limit (ulimit -u).'],
  EMFILE: ['failed', 'too many open files', 'Raise the limit (ulimit -n) and try again.'],
  ELOOP: ['failed', 'too many symbolic links', 'Check the path.'],
  ENAMETOOLONG: ['usage', 'file name too long', 'Check the path.'],
  EIO: ['failed', 'input/output error', 'Check the disk.'],
}

const OUT_OF_FILES = [
  'failed',
  'no free inodes on the disk',
  'Remove files from that disk and try again.',
] as const

function systemError(error: NodeJS.ErrnoException, roomOf: typeof roomAt): ErrorReport | null {
  const isOutOfFiles =
    error.code === 'ENOSPC' && error.path !== undefined && roomOf(dirname(error.path))?.isOutOfFiles === true
  const known = isOutOfFiles ? OUT_OF_FILES : SYSTEM_ERRORS[error.code ?? '']
  if (known === undefined) return null
  const [code, what, remedy] = known
  const place = error.path ?? error.syscall ?? 'the system'
  return { code, message: `${place}: ${what}`, remedy, faults: [] }
}
