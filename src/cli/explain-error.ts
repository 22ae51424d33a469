/** Turns any thrown value into an error report for people and scripts. */
import { roomAt, explainSystemError } from '../lib/files/system-error.ts'
import type { ErrorReport } from '../client/error-document.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Style } from './terminal/terminal.ts'

/** `roomOf` returns the free space on the disk of a path. */
export function explainError(error: unknown, roomOf = roomAt): ErrorReport {
  if (error instanceof Refusal) return error
  if (!(error instanceof Error)) return internal(String(error))
  if ('remedy' in error && typeof error.remedy === 'string') {
    return { code: 'failed', message: error.message, remedy: error.remedy }
  }
  const known = explainSystemError(error, roomOf)
  return known ?? internal(error.message)
}

/** `file:line: error: message` for each fault, or `error: message`; the remedy below. */
export function errorText({ message, remedy, faults = [] }: ErrorReport, style: Style): string {
  const mark = style.red('error:')
  if (faults.length === 0) return `${mark} ${message}\n  ${remedy}\n`
  return faults
    .map(
      (fault) =>
        `${style.bold(`${fault.file}:${fault.line}:`)} ${mark} ${fault.message}\n  ${fault.remedy}\n`,
    )
    .join('')
}

function internal(message: string): ErrorReport {
  return {
    code: 'internal',
    message: `internal error: ${message.split('\n', 1)[0] ?? ''}`,
    remedy:
      'This is a bug in Bosun. Please report it with the output of the same command under BOSUN_DEBUG=1.',
  }
}
