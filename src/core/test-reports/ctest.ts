/** Reads the output of ctest: one line a test. */
import { counted, countsIn, countTests, namedReport, reportedTest, summedReport } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const RESULT = /^ {0,9}\d{1,9}\/\d{1,9} Test +#\d{1,9}: (.*)$/
const SUMMARY = /^\d{1,3}% tests passed, (?<failed>\d{1,9}) tests? failed out of (?<run>\d{1,9})$/

export function readCTest(lines: readonly string[]): TestReport | null {
  if (lines.some((line) => line.startsWith('No tests were found!!!'))) return namedReport('ctest', [])
  const summed = countsIn(lines, SUMMARY)
  if (summed === null) return null
  const tests = lines.flatMap(resultIn)
  const found = countTests(tests)
  // Depending on its version, ctest counts skipped tests among all or not.
  const passed = Math.min(found.passed, summed.passed)
  return summedReport('ctest', counted(passed, summed.failed, found.skipped), tests)
}

/** `adds .........   Passed    0.00 sec`: dots fill the space between name and result. */
function resultIn(line: string): readonly ReportedTest[] {
  const rest = RESULT.exec(line)?.[1]
  if (rest === undefined) return []
  const dots = rest.indexOf(' ..')
  const name = dots === -1 ? rest.split(/ {2,}|\*\*\*/, 1)[0] : rest.slice(0, dots)
  return [reportedTest(name ?? rest, outcomeOf(rest))]
}

function outcomeOf(rest: string): TestOutcome {
  if (/\*\*\*(Skipped|Not Run \(Disabled\))/.test(rest)) return 'skipped'
  return / Passed +\d[\d.]* sec$/.test(rest) && !rest.includes('***') ? 'passed' : 'failed'
}
