/** Reads the output of mocha's default reporter, and of others with the same summary. */
import { counted, cutName, linesOf, numberOf, summedReport } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const SUM = /^ {0,8}(\d{1,9}) (passing|failing|pending)(?: \(\d[\d.]*(?:ms|s|m)\))?$/
const MARKED = /^( {2,64})([✔✓√-]|\d{1,9}\)) (.+?)(?: \(\d{1,9}ms\))?$/
const MAX_DEPTH = 32

export function readMocha(text: string): TestReport | null {
  const lines = linesOf(text)
  const start = lines.findIndex((line) => SUM.exec(line)?.[2] === 'passing')
  if (start === -1) return null
  const countOf = (word: string): number =>
    lines
      .map((line) => SUM.exec(line))
      .reduce((sum, match) => sum + (match?.[2] === word ? numberOf(match[1]) : 0), 0)
  return summedReport(
    'mocha',
    counted(countOf('passing'), countOf('failing'), countOf('pending')),
    testsIn(lines.slice(0, start)),
  )
}

function testsIn(lines: readonly string[]): readonly ReportedTest[] {
  const tests: ReportedTest[] = []
  let around: { readonly indent: number; readonly name: string }[] = []
  for (const line of lines) {
    if (line.trim() === '') continue
    const indent = /^ */.exec(line)?.[0].length ?? 0
    around = around.filter((suite) => suite.indent < indent)
    const match = MARKED.exec(line)
    if (match === null) {
      if (indent > 0 && around.length < MAX_DEPTH) around.push({ indent, name: line.trim() })
      continue
    }
    const path = [...around.map(({ name }) => name), match[3] ?? ''].join(' > ')
    tests.push({ name: cutName(path), file: null, outcome: outcomeOf(match[2] ?? '') })
  }
  return tests
}

function outcomeOf(mark: string): TestOutcome {
  if (mark.endsWith(')')) return 'failed'
  return mark === '-' ? 'skipped' : 'passed'
}
