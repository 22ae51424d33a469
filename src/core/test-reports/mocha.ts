/** Reads the output of mocha's default reporter, and of others with the same summary. */
import { counted, indentedTests, matchesIn, summedReport, sumBefore } from './report.ts'
import type { TestOutcome, TestReport } from './report.ts'

const SUM = /^ {0,8}\d{1,9} (?:passing|failing|pending)(?: \(\d[\d.]*(?:ms|s|m)\))?$/
const MARKED = /^( {2,64})([✔✓√-]|\d{1,9}\)) (.+?)(?: \(\d{1,9}ms\))?$/

export function readMocha(lines: readonly string[]): TestReport | null {
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
