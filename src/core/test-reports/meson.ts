/** Reads the output of `meson test`: one line a test. */
import { counted, matchesIn, namedReport, reportedTest, summedReport, sumIn } from './report.ts'
import type { TestOutcome, TestReport } from './report.ts'

const RESULT = /^ {0,9}\d{1,9}\/\d{1,9} (\S.*?) {1,99}([A-Z]{2,20}) {1,20}\d[\d.]{0,12}s(?: |$)/
const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  OK: 'passed',
  SKIP: 'skipped',
  EXPECTEDFAIL: 'skipped',
}

export function readMeson(lines: readonly string[]): TestReport | null {
  if (lines.includes('No tests defined.')) return namedReport('meson', [])
  const sum = (word: string): number => sumIn(lines, new RegExp(`^${word}: +(\\d{1,9}) *$`))
  if (!lines.some((line) => /^Unexpected Pass: +\d{1,9} *$/.test(line))) return null
  const failed = sum('Fail') + sum('Unexpected Pass') + sum('Timeout')
  const counts = counted(sum('Ok'), failed, sum('Skipped') + sum('Expected Fail'))
  const tests = matchesIn(lines, RESULT).map(([, name = '', word = '']) =>
    reportedTest(name, OUTCOMES[word] ?? 'failed'),
  )
  return summedReport('meson', counts, tests)
}
