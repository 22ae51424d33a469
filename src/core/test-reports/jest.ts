/** Reads the output of jest: all test names with one file or --verbose, failed ones always. */
import { counted, cutName, linesOf, numberOf, summedReport } from './report.ts'
import { countTests, type ReportedTest, type TestOutcome, type TestReport } from './report.ts'
import { readJestJson } from './jest-json.ts'

const MARKS: Readonly<Record<string, TestOutcome>> = {
  '✓': 'passed',
  '√': 'passed',
  '✕': 'failed',
  '×': 'failed',
  '○': 'skipped',
  '✎': 'todo',
}

const MAX_DEPTH = 32

export function readJest(text: string): TestReport | null {
  const lines = linesOf(text)
  const sums = lines.flatMap((line) => /^Tests: {1,9}(.*\d{1,9} total)$/.exec(line)?.[1] ?? [])
  const suites = lines.flatMap((line) => /^Test Suites: {1,9}(.*\d{1,9} total)$/.exec(line)?.[1] ?? [])
  if (sums.length === 0 || suites.length === 0) return readJestJson(text)
  const countOf = (word: string, where = sums): number =>
    where
      .map((sum) => numberOf(new RegExp(`(\\d{1,9}) ${word}\\b`).exec(sum)?.[1]))
      .reduce((total, more) => total + more, 0)
  const failedSuites = countOf('failed', suites)
  const failed = countOf('failed') === 0 && failedSuites > 0 ? failedSuites : countOf('failed')
  const counts = counted(countOf('passed'), failed, countOf('skipped') + countOf('todo'))
  const verbose = verboseIn(lines)
  const isVerbose = countTests(verbose).passed === counts.passed
  return summedReport('jest', counts, isVerbose ? verbose : failuresIn(lines))
}

function verboseIn(lines: readonly string[]): readonly ReportedTest[] {
  const tests: ReportedTest[] = []
  let file: string | null = null
  let around: { readonly indent: number; readonly name: string }[] = []
  for (const line of lines) {
    const opening = /^(PASS|FAIL) {1,2}(\S+)/.exec(line)
    if (opening !== null) {
      file = cutName(opening[2] ?? '')
      around = []
      continue
    }
    if (file === null || line.startsWith('  ●')) {
      file = null
      continue
    }
    const match = /^( +)(\S) (.*)$/.exec(line)
    const outcome = MARKS[match?.[2] ?? '']
    const indent = /^ */.exec(line)?.[0].length ?? 0
    around = around.filter((suite) => suite.indent < indent)
    if (outcome === undefined) {
      if (line.trim() !== '' && around.length < MAX_DEPTH) around.push({ indent, name: line.trim() })
    } else {
      const name = (match?.[3] ?? '').replace(/ \(\d[\d.]{0,12} m?s\)$/, '').replace(/^(skipped|todo) /, '')
      const path = [...around.map((suite) => suite.name), name].join(' > ')
      tests.push({ name: cutName(path), file, outcome })
    }
  }
  return tests
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
    failed.set(`${file ?? ''} ${path}`, { name: cutName(path), file, outcome: 'failed' })
  }
  return [...failed.values()]
}
