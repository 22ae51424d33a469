/** Turns whatever was thrown into what a person or a script is told. */
import { dirname } from 'node:path'
import { roomAt } from '../lib/files/full-disk.ts'
import { Refusal, type Fault, type RefusalCode } from '../lib/refusal.ts'
import type { Style } from './terminal/terminal.ts'

export interface ErrorReport {
  /** `internal` is a bug of ours; its exit code is that of `failed`. */
  readonly code: RefusalCode | 'internal'
  readonly message: string
  readonly remedy: string
  readonly faults: readonly Fault[]
}

/** `roomOf` says what is left on the disk of a path. */
export function explainError(error: unknown, roomOf = roomAt): ErrorReport {
  if (error instanceof Refusal) {
    return { code: error.code, message: error.message, remedy: error.remedy, faults: error.faults }
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
  const { code, message, remedy, faults } = report
  return {
    schema: 'bosun.error/v1',
    error: { code, message, remedy, ...(faults.length === 0 ? {} : { problems: faults }) },
  }
}

function internal(message: string): ErrorReport {
  return {
    code: 'internal',
    message: `Bosun failed unexpectedly: ${message.split('\n', 1)[0] ?? ''}`,
    remedy:
      'This is a fault of Bosun. Please report it, with what the same command shows under BOSUN_DEBUG=1.',
    faults: [],
  }
}

const SYSTEM_ERRORS: Readonly<Record<string, readonly [RefusalCode, string, string]>> = {
  ENOENT: ['not_found', 'there is no such file or directory', 'Check the path.'],
  ENOTDIR: ['not_found', 'a part of the path is not a directory', 'Check the path.'],
  EISDIR: ['failed', 'is a directory', 'Give the path of a file.'],
  EACCES: ['failed', 'permission denied', 'Check who owns it and its permissions.'],
  EPERM: ['failed', 'operation not permitted', 'Check who owns it and its permissions.'],
  EROFS: ['failed', 'the file system is read-only', 'Choose a place that can be written.'],
  ENOSPC: ['failed', 'no space is left on the device', 'Free some space and try again.'],
  EDQUOT: ['failed', 'the disk quota is used up', 'Free some space and try again.'],
  EAGAIN: ['failed', 'the system starts no more processes', 'End some, or raise the limit (ulimit -u).'],
  EMFILE: ['failed', 'too many files are open', 'Raise the limit (ulimit -n) and try again.'],
  ELOOP: ['failed', 'too many symbolic links', 'Check the path.'],
  ENAMETOOLONG: ['usage', 'the name is too long', 'Check the path.'],
  EIO: ['failed', 'the device could not be read or written', 'Check the disk.'],
}

const OUT_OF_FILES = [
  'failed',
  'the disk can hold no more files (no inode is free)',
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
