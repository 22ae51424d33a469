/** Reads the output of dotnet test: one line per project, and test names with the detailed logger. */
import { counted, countsIn, matchesIn, NO_COUNTS, reportedTest, summedReport, sumIn } from './report.ts'
import type { TestOutcome, TestReport } from './report.ts'

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

export function readDotnet(lines: readonly string[]): TestReport | null {
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
