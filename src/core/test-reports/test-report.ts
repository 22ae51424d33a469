/** Finds out what a test run reports. What no reader knows is not guessed at: it has no counts. */
import type { ReportReader, TestReport } from './report.ts'
import { readCargo } from './cargo.ts'
import { readCTest } from './ctest.ts'
import { readDotnet } from './dotnet.ts'
import { readGo } from './go.ts'
import { readJest } from './jest.ts'
import { readJUnit } from './junit.ts'
import { readMocha } from './mocha.ts'
import { readNodeSpec } from './node-spec.ts'
import { readPytest } from './pytest.ts'
import { readSurefire } from './surefire.ts'
import { readTap } from './tap.ts'
import { readUnittest } from './unittest.ts'
import { readVitest } from './vitest.ts'

/** What is looked at of a report. Of an output there is less: it loses its middle before it comes here. */
export const MAX_REPORT_CHARS = 64 * 1024 * 1024

/** Those that cannot be mistaken come first. */
const READERS: readonly ReportReader[] = [
  readTap,
  readNodeSpec,
  readVitest,
  readJest,
  readCargo,
  readCTest,
  readSurefire,
  readDotnet,
  readGo,
  readPytest,
  readUnittest,
  readMocha,
  readJUnit,
]

/** How the user wants a test command's outcome read. */
export type ReportHint =
  | { readonly kind: 'auto' }
  | { readonly kind: 'tap' }
  /** The exit code alone, by the user's decision. */
  | { readonly kind: 'exit' }
  | { readonly kind: 'junit'; readonly path: string }

export function reportHintOf(said: string | undefined): ReportHint {
  if (said === 'tap' || said === 'exit') return { kind: said }
  return said?.startsWith('junit:') === true
    ? { kind: 'junit', path: said.slice('junit:'.length) }
    : { kind: 'auto' }
}

/** Null: no counts can be told. For `junit`, `text` is the report file's. */
export function detectReport(text: string, hint: ReportHint): TestReport | null {
  const bounded = text.length > MAX_REPORT_CHARS ? text.slice(-MAX_REPORT_CHARS) : text
  switch (hint.kind) {
    case 'exit':
      return null
    case 'tap':
      return readTap(bounded)
    case 'junit':
      return readJUnit(bounded)
    case 'auto':
      if (/^\s{0,99}<(\?xml|testsuite)/.test(bounded)) return readJUnit(bounded)
      for (const read of READERS) {
        const report = read(bounded)
        if (report !== null) return report
      }
      return null
  }
}
