/** Detects the report format of a test run and reads it. Unknown formats have no counts. */
import { linesOf, type ReportReader, type TestReport } from './report.ts'
import { readCargo } from './cargo.ts'
import { readCTest, readGTest, readMeson } from './c-runners.ts'
import { readDotnet } from './dotnet.ts'
import { readGo } from './go.ts'
import { readJest } from './jest.ts'
import { readJUnit } from './junit.ts'
import { readMocha } from './mocha.ts'
import { readNodeSpec } from './node-spec.ts'
import { readPytest } from './pytest.ts'
import { readSummary } from './summaries.ts'
import { readSurefire } from './surefire.ts'
import { readTap } from './tap.ts'
import { readUnittest } from './unittest.ts'
import { readVitest } from './vitest.ts'

/** Longer reports are cut. Outputs are shorter: their middle was dropped before. */
export const MAX_REPORT_CHARS = 64 * 1024 * 1024

/** Unambiguous formats come first. */
const READERS: readonly ReportReader[] = [
  readTap,
  readNodeSpec,
  readVitest,
  readJest,
  readCargo,
  readCTest,
  readMeson,
  readGTest,
  readSurefire,
  readDotnet,
  readGo,
  readPytest,
  readUnittest,
  readMocha,
  readSummary,
]

/** How to read the result of a test command, as configured. */
export type ReportHint =
  | { readonly kind: 'auto' }
  | { readonly kind: 'tap' }
  /** Only the exit code counts; `isAccepted`: by the answer of a person whom the plan asked. */
  | { readonly kind: 'exit'; readonly isAccepted?: true }
  | { readonly kind: 'junit'; readonly path: string }

export function reportHintOf(setting: string | undefined): ReportHint {
  if (setting === 'tap' || setting === 'exit') return { kind: setting }
  return setting?.startsWith('junit:') === true
    ? { kind: 'junit', path: setting.slice('junit:'.length) }
    : { kind: 'auto' }
}

/** Null if the format is unknown. For `junit`, `text` is the report file. */
export function detectReport(text: string, hint: ReportHint): TestReport | null {
  const bounded = text.length > MAX_REPORT_CHARS ? text.slice(-MAX_REPORT_CHARS) : text
  switch (hint.kind) {
    case 'exit':
      return null
    case 'tap':
      return readTap(linesOf(bounded))
    case 'junit':
      return readJUnit(bounded)
    case 'auto': {
      if (/^\s{0,99}<(\?xml|testsuite)/.test(bounded)) return readJUnit(bounded)
      const lines = linesOf(bounded)
      for (const read of READERS) {
        const report = read(lines, bounded)
        if (report !== null) return report
      }
      return readJUnit(bounded)
    }
  }
}
