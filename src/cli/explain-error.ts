/** Turns any thrown value into an error report for people and scripts. */
import { roomAt } from '../lib/files/full-disk.ts'
import { Refusal, type Fault, type RefusalCode } from '../lib/refusal.ts'
import { explainSystemError } from '../lib/files/system-error.ts'
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
  const known = explainSystemError(error, roomOf)
  return known === null ? internal(error.message) : { ...known, faults: [] }
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
