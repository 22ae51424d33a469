/** Reads the output of Maven's Surefire and Failsafe: a total per module, and failed tests by name. */
import { counted, cutName, linesOf, numberOf, summedReport, NO_COUNTS } from './report.ts'
import type { ReportedTest, TestReport } from './report.ts'

const SUM =
  /^\[(?:INFO|WARNING|ERROR)\] +Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})$/
export function readSurefire(text: string): TestReport | null {
  const lines = linesOf(text)
  // The line of a class continues with the time; the total of a module does not.
  const sums = lines.map((line) => SUM.exec(line)).filter((match) => match !== null)
  const isMaven = lines.some((line) =>
    /^\[(INFO|ERROR)\] +(BUILD (SUCCESS|FAILURE)|No tests to run\.)/.test(line),
  )
  if (sums.length === 0) return isMaven ? summedReport('surefire', NO_COUNTS, []) : null
  const total = (at: number): number => sums.reduce((sum, match) => sum + numberOf(match[at]), 0)
  const [run, failed, skipped] = [total(1), total(2) + total(3), total(4)]
  return summedReport(
    'surefire',
    counted(Math.max(0, run - failed - skipped), failed, skipped),
    failuresIn(lines),
  )
}

/** `com.acme.CartTest.adds -- Time elapsed`, formerly `adds(com.acme.CartTest)  Time elapsed`. */
function failuresIn(lines: readonly string[]): readonly ReportedTest[] {
  return lines.flatMap((line) => {
    const isFailure = line.endsWith(' <<< FAILURE!') || line.endsWith(' <<< ERROR!')
    if (!isFailure || !line.startsWith('[ERROR] ') || line.includes('Tests run:')) return []
    const name = line.slice('[ERROR] '.length).trimStart().split(' ', 1)[0] ?? ''
    const at = name.endsWith(')') ? name.indexOf('(') : -1
    const full = at === -1 ? name : `${name.slice(at + 1, -1)}.${name.slice(0, at)}`
    return [{ name: cutName(full), file: null, outcome: 'failed' as const }]
  })
}
