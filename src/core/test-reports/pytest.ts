/** What pytest prints: names with -v or -rA, the failed ones in the short summary unless it is turned off. */
import { counted, cutName, linesOf, numberOf, summedReport } from './report.ts'
import { countTests, type ReportedTest, type TestOutcome, type TestReport } from './report.ts'

const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  PASSED: 'passed',
  XPASS: 'passed',
  FAILED: 'failed',
  ERROR: 'failed',
  SKIPPED: 'skipped',
  XFAIL: 'todo',
}
const SUMMARY =
  /^(?:=+ )?((?:\d{1,9} [a-z]+(?:, )?){1,10}|no tests ran) in \d[\d.]{0,12}s(?: \([\d:]+\))?(?: =+)?$/
const WORKER = /^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S.*)$/
const LISTED = /^(PASSED|FAILED|ERROR|XFAIL|XPASS) (\S.*)$/

export function readPytest(text: string): TestReport | null {
  const lines = linesOf(text)
  const sums = lines.flatMap((line) => SUMMARY.exec(line)?.[1] ?? [])
  if (sums.length === 0 || !isPytest(sums)) return null
  const countOf = (word: string): number =>
    sums
      .map((sum) => numberOf(new RegExp(`\\b(\\d{1,9}) ${word}\\b`).exec(sum)?.[1]))
      .reduce((total, more) => total + more, 0)
  const counts = counted(
    countOf('passed') + countOf('xpassed'),
    countOf('failed') + countOf('error') + countOf('errors'),
    countOf('skipped') + countOf('xfailed'),
  )
  const verbose = verboseIn(lines)
  const isVerbose =
    countTests(verbose).passed === counts.passed && countTests(verbose).failed === counts.failed
  return summedReport('pytest', counts, isVerbose ? verbose : listedIn(lines))
}

/** Other programs end with "3 files in 0.1s". */
function isPytest(sums: readonly string[]): boolean {
  if (sums.some((sum) => sum.startsWith('no tests ran'))) return true
  return sums.every((sum) => /\b(passed|failed|errors?|skipped|xfailed|xpassed|deselected)\b/.test(sum))
}

/** Between the collection and the first section: what comes later quotes tests and their output. */
function verboseIn(lines: readonly string[]): readonly ReportedTest[] {
  const tests: ReportedTest[] = []
  let isRunning = false
  for (const line of lines) {
    if (/collected \d+ items?/.test(line) || /^gw\d+ \[\d+\]|^\d+ workers \[/.test(line)) isRunning = true
    else if (/^=+ \S/.test(line)) isRunning = false
    else if (isRunning) tests.push(...resultIn(line))
  }
  return tests
}

function resultIn(line: string): readonly ReportedTest[] {
  const [word, id] = line.endsWith('%]') ? plainResult(line) : workerResult(line)
  if (!id.includes('::')) return []
  return [testOf(id, OUTCOMES[word] ?? 'failed')]
}

const NOTHING = ['', ''] as const

/** `path::name PASSED   [ 12%]`, with a reason in brackets after SKIPPED and XFAIL. */
function plainResult(line: string): readonly [word: string, id: string] {
  const body = line.slice(0, line.lastIndexOf('[')).trimEnd()
  for (const word of Object.keys(OUTCOMES)) {
    if (body.endsWith(` ${word}`)) return [word, body.slice(0, -word.length - 1)]
    const at = body.endsWith(')') ? body.indexOf(` ${word} (`) : -1
    if (at !== -1) return [word, body.slice(0, at)]
  }
  return NOTHING
}

/** `[gw0] [ 12%] PASSED path::name`, where tests run side by side. */
function workerResult(line: string): readonly [word: string, id: string] {
  const match = WORKER.exec(line)
  return match === null ? NOTHING : [match[1] ?? '', match[2] ?? '']
}

function listedIn(lines: readonly string[]): readonly ReportedTest[] {
  const start = lines.findLastIndex((line) => /^=+ short test summary info =+$/.test(line))
  if (start === -1) return []
  return lines.slice(start + 1).flatMap((line) => {
    const [, word = '', rest = ''] = LISTED.exec(line) ?? []
    if (word === '') return []
    const end = rest.indexOf(' - ')
    return [testOf(end === -1 || word === 'PASSED' ? rest : rest.slice(0, end), OUTCOMES[word] ?? 'failed')]
  })
}

function testOf(id: string, outcome: TestOutcome): ReportedTest {
  const at = id.indexOf('::')
  if (at === -1) return { name: 'the file could not be run', file: cutName(id), outcome }
  return { name: cutName(id.slice(at + 2)), file: cutName(id.slice(0, at)), outcome }
}
