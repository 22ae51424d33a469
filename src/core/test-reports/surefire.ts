/** Reads the output of Maven's Surefire and Failsafe: a total per module, and failed tests by name. */
import { countsIn, NO_COUNTS, reportedTest, summedReport } from './report.ts'
import type { ReportedTest, TestReport } from './report.ts'

/** The line of a class continues with the time; the total of a module does not. */
const SUM =
  /^\[(?:INFO|WARNING|ERROR)\] +Tests run: (?<run>\d{1,9}), Failures: (?<failed>\d{1,9}), Errors: (?<errors>\d{1,9}), Skipped: (?<skipped>\d{1,9})$/
const MAVEN = /^\[(INFO|ERROR)\] +(BUILD (SUCCESS|FAILURE)|No tests to run\.)/

export function readSurefire(lines: readonly string[]): TestReport | null {
  const counts = countsIn(lines, SUM)
  if (counts !== null) return summedReport('surefire', counts, lines.flatMap(failureIn))
  return lines.some((line) => MAVEN.test(line)) ? summedReport('surefire', NO_COUNTS, []) : null
}

/** `com.acme.CartTest.adds -- Time elapsed`, formerly `adds(com.acme.CartTest)  Time elapsed`. */
function failureIn(line: string): readonly ReportedTest[] {
  const isFailure = line.endsWith(' <<< FAILURE!') || line.endsWith(' <<< ERROR!')
  if (!isFailure || !line.startsWith('[ERROR] ') || line.includes('Tests run:')) return []
  const name = line.slice('[ERROR] '.length).trimStart().split(' ', 1)[0] ?? ''
  const at = name.endsWith(')') ? name.indexOf('(') : -1
  const full = at === -1 ? name : `${name.slice(at + 1, -1)}.${name.slice(0, at)}`
  return [reportedTest(full, 'failed')]
}
