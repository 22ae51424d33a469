import { constants, fstatSync, lstatSync, readSync } from 'node:fs'
import { openedFile } from '../../lib/files/opened-file.ts'
import { errorCode } from '../../lib/system/error-code.ts'
import type { WorkerFolder } from '../worker-folder.ts'
import { isRecord } from './lenient.ts'

export interface ReportText {
  /** Null when there is no report, or none that may be read. */
  readonly text: string | null
  /** Why an existing report was not read. */
  readonly problem: string | null
}

export const MAX_REPORT_BYTES = 1024 * 1024

/** Agent output is untrusted: follows no link, waits for no pipe, reads nothing large. */
export function readReportFile(path: string): ReportText {
  try {
    using file = openedFile(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = fstatSync(file.fd)
    if (!stat.isFile()) return { text: null, problem: 'the report is not a file' }
    if (stat.size > MAX_REPORT_BYTES)
      return { text: null, problem: `the report is larger than ${MAX_REPORT_BYTES} bytes` }
    const content = Buffer.alloc(stat.size)
    return { text: content.toString('utf8', 0, readSync(file.fd, content)), problem: null }
  } catch (error) {
    return { text: null, problem: whyNot(error) }
  }
}

/**
 * The last complete report: a worker may leave one in its folder, hand one in to Bosun, or both. Without a complete one,
 * the file that it left.
 */
export function readLastReport({ report, handedIn }: Pick<WorkerFolder, 'report' | 'handedIn'>): ReportText {
  const left = { ...readReportFile(report), at: changedAt(report) }
  const sent = { ...readReportFile(handedIn), at: changedAt(handedIn) }
  const isSentLast = isWholeReport(sent.text) && (!isWholeReport(left.text) || sent.at > left.at)
  const { text, problem } = isSentLast ? sent : left
  return { text, problem }
}

const changedAt = (path: string): bigint =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n

/** Whether the text is a complete JSON object; its content is not checked here. */
export function isWholeReport(text: string | null): boolean {
  try {
    return isRecord(JSON.parse(text ?? ''))
  } catch {
    // Still being written, or never meant as one.
    return false
  }
}

/** Null where there is just no report. */
function whyNot(error: unknown): string | null {
  const code = errorCode(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') return null
  if (code === 'ELOOP' || code === 'EMLINK') return 'the report is a symbolic link; Bosun does not follow it'
  return `cannot read the report: ${error instanceof Error ? error.message : String(error)}`
}
