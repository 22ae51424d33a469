/** Reads the output of vitest: all test names with the verbose reporter, failed ones always. */
import { counted, matchesIn, reportedTest, summedReport, sumBefore, sumIn } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const MARKS: Readonly<Record<string, TestOutcome>> = {
  '✓': 'passed',
  '×': 'failed',
  '↓': 'skipped',
  '□': 'todo',
}
const SUMMARY = /^ {0,12}Tests {1,4}(.*\(\d{1,9}\)|no tests)$/
const VERBOSE = /^ {0,8}([✓×↓□]) (\S.* > .*)$/

export function readVitest(lines: readonly string[], text: string): TestReport | null {
  const isVitest = /^ {0,2}(RUN|DEV) {1,3}v\d/m.test(text) || /^ Test Files {2}/m.test(text)
  if (!isVitest) return null
  const sums = matchesIn(lines, SUMMARY).map(([line]) => line)
  const brokenFiles = sumIn(lines, /^ Test Files {2}.*?(\d{1,9}) failed/)
  const counts = counted(
    sumBefore(sums, 'passed'),
    // A file that cannot be loaded fails without a single failed test.
    sumBefore(sums, 'failed') || brokenFiles,
    sumBefore(sums, 'skipped') + sumBefore(sums, 'todo'),
  )
  return summedReport('vitest', counts, verboseIn(lines), failuresIn(lines))
}

function verboseIn(lines: readonly string[]): readonly ReportedTest[] {
  return matchesIn(lines, VERBOSE).map(([, mark = '', rest = '']) => {
    const [file = '', ...path] = rest.replace(/ \d{1,9}ms$/, '').split(' > ')
    return reportedTest(path.join(' > '), MARKS[mark] ?? 'failed', file)
  })
}

/** ` FAIL  file > suite > test`, listed once each at the end. */
function failuresIn(lines: readonly string[]): readonly ReportedTest[] {
  const failed = new Set(matchesIn(lines, /^ FAIL {2}(\S.*)$/).map(([, rest = '']) => rest))
  return [...failed].map((rest) => {
    const [file = '', ...path] = rest.split(' > ')
    return reportedTest(path.length === 0 ? 'the file could not be run' : path.join(' > '), 'failed', file)
  })
}
