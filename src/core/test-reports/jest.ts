/** Reads the output of jest: all test names with one file or --verbose, failed ones always. */
import { counted, indentedTests, reportedTest, summedReport, sumBefore } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'
import { readJestJson } from './jest-json.ts'

const MARKS: Readonly<Record<string, TestOutcome>> = {
  '✓': 'passed',
  '√': 'passed',
  '✕': 'failed',
  '×': 'failed',
  '○': 'skipped',
  '✎': 'todo',
}

export function readJest(lines: readonly string[], text: string): TestReport | null {
  const sums = lines.filter((line) => /^Tests: {1,9}.*\d{1,9} total$/.test(line))
  const suites = lines.filter((line) => /^Test Suites: {1,9}.*\d{1,9} total$/.test(line))
  if (sums.length === 0 || suites.length === 0) return readJestJson(text)
  const counts = counted(
    sumBefore(sums, 'passed'),
    sumBefore(sums, 'failed') || sumBefore(suites, 'failed'),
    sumBefore(sums, 'skipped') + sumBefore(sums, 'todo'),
  )
  return summedReport('jest', counts, verboseIn(lines), failuresIn(lines))
}

const FILE = /^(?:PASS|FAIL) {1,2}(\S+)/

/** The tests of a file are below its name, up to the first failure. */
function verboseIn(lines: readonly string[]): readonly ReportedTest[] {
  const starts = lines.flatMap((line, at) => (FILE.test(line) ? [at] : []))
  return starts.flatMap((start, place) => {
    const block = lines.slice(start + 1, starts[place + 1])
    const end = block.findIndex((line) => line.startsWith('  ●'))
    const file = FILE.exec(lines[start] ?? '')?.[1] ?? ''
    return indentedTests(end === -1 ? block : block.slice(0, end), testIn, file)
  })
}

function testIn(line: string): { readonly name: string; readonly outcome: TestOutcome } | null {
  const [, mark = '', rest = ''] = /^ +(\S) (.*)$/.exec(line) ?? []
  const outcome = MARKS[mark]
  if (outcome === undefined) return null
  return { name: rest.replace(/ \(\d[\d.]{0,12} m?s\)$/, '').replace(/^(skipped|todo) /, ''), outcome }
}

/** `  ● suite › test`, under the file it belongs to. */
function failuresIn(lines: readonly string[]): readonly ReportedTest[] {
  const failed = new Map<string, ReportedTest>()
  let file: string | null = null
  for (const line of lines) {
    if (line.startsWith('Summary of all failing tests')) break
    file = /^FAIL {1,2}(\S+)/.exec(line)?.[1] ?? file
    const name = /^ {2}● (.*)$/.exec(line)?.[1]
    if (name === undefined || name === 'Console') continue
    const path =
      name === 'Test suite failed to run' ? 'the file could not be run' : name.replaceAll(' › ', ' > ')
    failed.set(`${file ?? ''} ${path}`, reportedTest(path, 'failed', file))
  }
  return [...failed.values()]
}
