/** What ctest prints: one line a test. */
import { cutName, linesOf, namedReport, NO_COUNTS, numberOf, summedReport, countTests } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const RESULT = /^ {0,9}\d{1,9}\/\d{1,9} Test +#\d{1,9}: (.*)$/
const SUMMARY = /^\d{1,3}% tests passed, (\d{1,9}) tests? failed out of (\d{1,9})$/

export function readCTest(text: string): TestReport | null {
  const lines = linesOf(text)
  if (lines.some((line) => line.startsWith('No tests were found!!!'))) {
    return { ...namedReport('ctest', []), counts: NO_COUNTS }
  }
  const sums = lines.flatMap((line) => {
    const match = SUMMARY.exec(line)
    return match === null ? [] : [{ failed: numberOf(match[1]), total: numberOf(match[2]) }]
  })
  if (sums.length === 0) return null
  const tests = lines.flatMap(resultIn)
  const found = countTests(tests)
  const failed = sums.reduce((sum, one) => sum + one.failed, 0)
  const total = sums.reduce((sum, one) => sum + one.total, 0)
  // Depending on its version, ctest counts skipped tests among all or not.
  const passed = Math.min(found.passed, Math.max(0, total - failed))
  const counts = { run: passed + failed, passed, failed, skipped: found.skipped }
  return summedReport('ctest', counts, tests)
}

/** `adds .........   Passed    0.00 sec`: dots fill the space between name and result. */
function resultIn(line: string): readonly ReportedTest[] {
  const rest = RESULT.exec(line)?.[1]
  if (rest === undefined) return []
  const dots = rest.indexOf(' ..')
  const name = dots === -1 ? rest.split(/ {2,}|\*\*\*/, 1)[0] : rest.slice(0, dots)
  return [{ name: cutName(name ?? rest), file: null, outcome: outcomeOf(rest) }]
}

function outcomeOf(rest: string): TestOutcome {
  if (/\*\*\*(Skipped|Not Run \(Disabled\))/.test(rest)) return 'skipped'
  return / Passed +\d[\d.]* sec$/.test(rest) && !rest.includes('***') ? 'passed' : 'failed'
}
