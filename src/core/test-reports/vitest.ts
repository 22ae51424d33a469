/** What vitest prints: names of all tests with the verbose reporter, of the failed ones always. */
import { counted, cutName, linesOf, NO_COUNTS, numberOf } from './report.ts'
import { countTests, summedReport, type ReportedTest, type TestOutcome, type TestReport } from './report.ts'

const MARKS: Readonly<Record<string, TestOutcome>> = {
  '✓': 'passed',
  '×': 'failed',
  '↓': 'skipped',
  '□': 'todo',
}
const SUMMARY = /^ {0,12}Tests {1,4}(.*\(\d{1,9}\)|no tests)$/
const VERBOSE = /^ {0,8}([✓×↓□]) (\S.* > .*)$/

export function readVitest(text: string): TestReport | null {
  const isVitest = /^ {0,2}(RUN|DEV) {1,3}v\d/m.test(text) || /^ Test Files {2}/m.test(text)
  if (!isVitest) return null
  const lines = linesOf(text)
  const sums = lines.flatMap((line) => SUMMARY.exec(line)?.[1] ?? [])
  const total = sums.map(countsIn).reduce(added, NO_COUNTS)
  const files = lines.flatMap((line) => /^ Test Files {2}.*?(\d{1,9}) failed/.exec(line)?.[1] ?? [])
  const brokenFiles = files.map(numberOf).reduce((sum, more) => sum + more, 0)
  // A file that cannot be loaded fails without a single failed test.
  const counts =
    brokenFiles > 0 && total.failed === 0 ? counted(total.passed, brokenFiles, total.skipped) : total
  const verbose = lines.flatMap(verboseTest)
  const isVerbose = countTests(verbose).passed === counts.passed
  return summedReport('vitest', counts, isVerbose ? verbose : failuresIn(lines))
}

function verboseTest(line: string): readonly ReportedTest[] {
  const match = VERBOSE.exec(line)
  if (match === null) return []
  const [, mark = '', rest = ''] = match
  const [file = '', ...path] = rest.replace(/ \d{1,9}ms$/, '').split(' > ')
  return [{ name: cutName(path.join(' > ')), file: cutName(file), outcome: MARKS[mark] ?? 'failed' }]
}

/** ` FAIL  file > suite > test`, listed once each at the end. */
function failuresIn(lines: readonly string[]): readonly ReportedTest[] {
  const failed = new Map<string, ReportedTest>()
  for (const line of lines) {
    const rest = /^ FAIL {2}(\S.*)$/.exec(line)?.[1]
    if (rest === undefined) continue
    const [file = '', ...path] = rest.split(' > ')
    const name = path.length === 0 ? 'the file could not be run' : path.join(' > ')
    failed.set(rest, { name: cutName(name), file: cutName(file), outcome: 'failed' })
  }
  return [...failed.values()]
}

function countsIn(sum: string): ReturnType<typeof counted> {
  const countOf = (word: string): number => numberOf(new RegExp(`(\\d{1,9}) ${word}\\b`).exec(sum)?.[1])
  return counted(countOf('passed'), countOf('failed'), countOf('skipped') + countOf('todo'))
}

function added(
  one: ReturnType<typeof counted>,
  other: ReturnType<typeof counted>,
): ReturnType<typeof counted> {
  return counted(one.passed + other.passed, one.failed + other.failed, one.skipped + other.skipped)
}
