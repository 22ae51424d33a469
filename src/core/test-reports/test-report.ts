/** Detects the report format of a test run and reads it. Unknown formats have no counts. */
import {
  linesOf,
  counted,
  countsIn,
  matchesIn,
  NO_COUNTS,
  reportedTest,
  summedReport,
  sumIn,
  indentedTests,
  sumBefore,
  type ReportReader,
  type TestReport,
  type TestOutcome,
} from './report.ts'
import { readCargo } from './cargo.ts'
import { readCTest, readGTest, readMeson } from './c-runners.ts'
import { readGo } from './go.ts'
import { readJest } from './jest.ts'
import { readJUnit } from './junit.ts'
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

/** Reads the output of dotnet test: one line per project, and test names with the detailed logger. */
const PROJECT =
  /^(?:Passed|Failed|Skipped)! +- Failed: +(?<failed>\d{1,9}), Passed: +(?<passed>\d{1,9}), Skipped: +(?<skipped>\d{1,9}), Total: +\d{1,9}/
const WHOLE =
  /^Test summary: total: \d{1,9}, failed: (?<failed>\d{1,9}), succeeded: (?<passed>\d{1,9}), skipped: (?<skipped>\d{1,9})/
const RESULT = /^ {2}(Passed|Failed|Skipped) (\S.*?)(?: \[[^\]]{1,30}\])?$/
const EMPTY = /^No test (is available|matches the given testcase filter)/
const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  Passed: 'passed',
  Failed: 'failed',
  Skipped: 'skipped',
}

function readDotnet(lines: readonly string[]): TestReport | null {
  const counts = countsIn(lines, WHOLE) ?? countsIn(lines, PROJECT) ?? oldSummary(lines)
  if (counts === null) {
    return lines.some((line) => EMPTY.test(line)) ? summedReport('dotnet', NO_COUNTS, []) : null
  }
  const tests = matchesIn(lines, RESULT).map(([, word = '', name = '']) =>
    reportedTest(name, OUTCOMES[word] ?? 'failed'),
  )
  return summedReport('dotnet', counts, tests)
}

/** `Total tests: 6` and the numbers below it. */
function oldSummary(lines: readonly string[]): ReturnType<typeof counted> | null {
  const start = lines.findLastIndex((line) => /^Total tests: \d{1,9}/.test(line))
  if (start === -1) return null
  const below = lines.slice(start, start + 6)
  return counted(
    sumIn(below, /^ +Passed: (\d{1,9})/),
    sumIn(below, /^ +Failed: (\d{1,9})/),
    sumIn(below, /^ +Skipped: (\d{1,9})/),
  )
}

/** Reads the output of mocha's default reporter, and of others with the same summary. */
const SUM = /^ {0,8}\d{1,9} (?:passing|failing|pending)(?: \(\d[\d.]*(?:ms|s|m)\))?$/
const MARKED = /^( {2,64})([✔✓√-]|\d{1,9}\)) (.+?)(?: \(\d{1,9}ms\))?$/

function readMocha(lines: readonly string[]): TestReport | null {
  const sums = matchesIn(lines, SUM).map(([line]) => line)
  const start = lines.findIndex((line) => SUM.test(line) && line.includes(' passing'))
  if (start === -1) return null
  return summedReport(
    'mocha',
    counted(sumBefore(sums, 'passing'), sumBefore(sums, 'failing'), sumBefore(sums, 'pending')),
    indentedTests(lines.slice(0, start), testIn),
  )
}

function testIn(line: string): { readonly name: string; readonly outcome: TestOutcome } | null {
  const [, , mark = '', name = ''] = MARKED.exec(line) ?? []
  if (mark === '') return null
  return { name, outcome: mark.endsWith(')') ? 'failed' : mark === '-' ? 'skipped' : 'passed' }
}
