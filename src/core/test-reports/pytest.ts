/** Reads the output of pytest: names with -v or -rA, failed ones in the short summary unless it is turned off. */
import { counted, matchesIn, reportedTest, summedReport, sumBefore } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

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

export function readPytest(lines: readonly string[]): TestReport | null {
  const sums = matchesIn(lines, SUMMARY).map(([, sum = '']) => sum)
  if (sums.length === 0 || !isPytest(sums)) return null
  const counts = counted(
    sumBefore(sums, 'passed') + sumBefore(sums, 'xpassed'),
    sumBefore(sums, 'failed') + sumBefore(sums, 'errors?'),
    sumBefore(sums, 'skipped') + sumBefore(sums, 'xfailed'),
  )
  return summedReport('pytest', counts, verboseIn(lines), listedIn(lines))
}

/** Other programs end with "3 files in 0.1s". */
function isPytest(sums: readonly string[]): boolean {
  if (sums.some((sum) => sum.startsWith('no tests ran'))) return true
  return sums.every((sum) => /\b(passed|failed|errors?|skipped|xfailed|xpassed|deselected)\b/.test(sum))
}

/** Between the collection and the first section: later ones quote tests and their output. */
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
  const [, word = '', id = ''] = (line.endsWith('%]') ? plainResult(line) : WORKER.exec(line)) ?? []
  return id.includes('::') ? [testOf(id, OUTCOMES[word] ?? 'failed')] : []
}

/** `path::name PASSED   [ 12%]`, with a reason in brackets after SKIPPED and XFAIL. */
function plainResult(line: string): readonly string[] | null {
  const body = line.slice(0, line.lastIndexOf('[')).trimEnd()
  for (const word of Object.keys(OUTCOMES)) {
    if (body.endsWith(` ${word}`)) return [body, word, body.slice(0, -word.length - 1)]
    const at = body.endsWith(')') ? body.indexOf(` ${word} (`) : -1
    if (at !== -1) return [body, word, body.slice(0, at)]
  }
  return null
}

function listedIn(lines: readonly string[]): readonly ReportedTest[] {
  const start = lines.findLastIndex((line) => /^=+ short test summary info =+$/.test(line))
  if (start === -1) return []
  return matchesIn(lines.slice(start + 1), LISTED).map(([, word = '', rest = '']) => {
    const end = rest.indexOf(' - ')
    return testOf(end === -1 || word === 'PASSED' ? rest : rest.slice(0, end), OUTCOMES[word] ?? 'failed')
  })
}

function testOf(id: string, outcome: TestOutcome): ReportedTest {
  const at = id.indexOf('::')
  return at === -1
    ? reportedTest('the file could not be run', outcome, id)
    : reportedTest(id.slice(at + 2), outcome, id.slice(0, at))
}
