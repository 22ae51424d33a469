import { constants, lstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { HeldFolder, smallText } from '../../lib/files/held-folder.ts'
import { errorCode } from '../../lib/files/system-error.ts'
import { isRecord, jsonIn } from '../../lib/text/json.ts'
import { outboxReport, type WorkerFolder } from '../worker-folder.ts'

export interface ReportText {
  /** Null when there is no report, or none that may be read. */
  readonly text: string | null
  /** Why an existing report was not read. */
  readonly problem: string | null
  /** That another complete report was left as well, which does not count. */
  readonly note?: string | undefined
}

export const MAX_REPORT_BYTES = 1024 * 1024

/** Agent output is untrusted: follows no link, waits for no pipe, reads nothing large. */
export function readReportFile(path: string): ReportText {
  if (lstatSync(dirname(path), { throwIfNoEntry: false })?.isSymbolicLink() === true)
    return { text: null, problem: 'the folder of the report is a symbolic link; Bosun does not follow it' }
  try {
    using folder = HeldFolder.open(dirname(path))
    return readReportIn(folder, basename(path))
  } catch (error) {
    return { text: null, problem: whyNot(error) }
  }
}

/** The same in a folder that is held. */
export function readReportIn(folder: HeldFolder, name: string): ReportText {
  try {
    using file = folder.file(name, constants.O_RDONLY)
    const read = smallText(file, MAX_REPORT_BYTES)
    switch (read.kind) {
      case 'text':
        return { text: read.text, problem: null }
      case 'not_a_file':
        return { text: null, problem: 'the report is not a file' }
      case 'too_large':
        return { text: null, problem: `the report is larger than ${MAX_REPORT_BYTES} bytes` }
    }
  } catch (error) {
    return { text: null, problem: whyNot(error) }
  }
}

/** Where a worker's report may lie: in its outbox, in its agent folder, or where Bosun keeps one that was sent. */
export const reportPaths = (
  { report, handedIn }: Pick<WorkerFolder, 'report' | 'handedIn'>,
  outbox: string | null | undefined,
): readonly string[] => [...(outbox ? [outboxReport(outbox)] : []), report, handedIn]

/** The last complete report of those. Without a complete one, the first that the worker left. */
export function readLastReport(paths: readonly string[]): ReportText {
  const found = paths.map((path) => ({ ...readReportFile(path), at: changedAt(path) }))
  const whole = found.filter(({ text }) => isWholeReport(text))
  const [last] = whole.toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0))
  const left = last ?? found.find(({ text, problem }) => text !== null || problem !== null)
  const others = new Set(whole.map(({ text }) => text?.trim())).size - 1
  return {
    text: left?.text ?? null,
    problem: left?.problem ?? null,
    ...(others > 0 ? { note: `it left ${others + 1} different reports; the last complete one counts` } : {}),
  }
}

const changedAt = (path: string): bigint =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n

/** Whether the text is a complete JSON object; its content is not checked here. */
export const isWholeReport = (text: string | null): boolean => isRecord(jsonIn(text ?? ''))

/** Null where there is just no report. */
function whyNot(error: unknown): string | null {
  const code = errorCode(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') return null
  if (code === 'ELOOP' || code === 'EMLINK') return 'the report is a symbolic link; Bosun does not follow it'
  return `cannot read the report: ${error instanceof Error ? error.message : String(error)}`
}
