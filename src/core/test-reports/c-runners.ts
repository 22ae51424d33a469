/** Reads what runners of C and C++ print: ctest, Meson and GoogleTest. */
import {
  counted,
  countsIn,
  countTests,
  matchesIn,
  namedReport,
  reportedTest,
  summedReport,
  sumIn,
} from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

const CTEST_RESULT = /^ {0,9}\d{1,9}\/\d{1,9} Test +#\d{1,9}: (.*)$/
const SUMMARY = /^\d{1,3}% tests passed, (?<failed>\d{1,9}) tests? failed out of (?<run>\d{1,9})$/

export function readCTest(lines: readonly string[]): TestReport | null {
  if (lines.some((line) => line.startsWith('No tests were found!!!'))) return namedReport('ctest', [])
  const summed = countsIn(lines, SUMMARY)
  if (summed === null) return null
  const tests = lines.flatMap(resultIn)
  const found = countTests(tests)
  // Depending on its version, ctest counts skipped tests among all or not.
  const passed = Math.min(found.passed, summed.passed)
  return summedReport('ctest', counted(passed, summed.failed, found.skipped), tests)
}

/** `adds .........   Passed    0.00 sec`: dots fill the space between name and result. */
function resultIn(line: string): readonly ReportedTest[] {
  const rest = CTEST_RESULT.exec(line)?.[1]
  if (rest === undefined) return []
  const dots = rest.indexOf(' ..')
  const name = dots === -1 ? rest.split(/ {2,}|\*\*\*/, 1)[0] : rest.slice(0, dots)
  return [reportedTest(name ?? rest, outcomeOf(rest))]
}

function outcomeOf(rest: string): TestOutcome {
  if (/\*\*\*(Skipped|Not Run \(Disabled\))/.test(rest)) return 'skipped'
  return / Passed +\d[\d.]* sec$/.test(rest) && !rest.includes('***') ? 'passed' : 'failed'
}

/** `meson test`: one line a test. */
const MESON_RESULT = /^ {0,9}\d{1,9}\/\d{1,9} (\S.*?) {1,99}([A-Z]{2,20}) {1,20}\d[\d.]{0,12}s(?: |$)/
const MESON_OUTCOMES: Readonly<Record<string, TestOutcome>> = {
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
  const tests = matchesIn(lines, MESON_RESULT).map(([, name = '', word = '']) =>
    reportedTest(name, MESON_OUTCOMES[word] ?? 'failed'),
  )
  return summedReport('meson', counts, tests)
}

/** GoogleTest, and runners that print like it: two marks a test, with its name behind them. */
const GTEST_RESULT =
  /^\[ {0,9}(OK|FAILED|SKIPPED|ERROR|DISABLED) {0,9}\] (\S.*?) \(\d[\d.]{0,12} ?ms(?: total)?\)$/
const GTEST_OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  OK: 'passed',
  SKIPPED: 'skipped',
  DISABLED: 'skipped',
}

export function readGTest(lines: readonly string[]): TestReport | null {
  const isWhole = lines.some(
    (line) => /^\[={5,20}\] \d{1,9} tests? from \d/.test(line) && line.includes(' ran.'),
  )
  if (!isWhole) return null
  return namedReport(
    'gtest',
    matchesIn(lines, GTEST_RESULT).map(([, word = '', name = '']) =>
      reportedTest(nameOf(name), GTEST_OUTCOMES[word] ?? 'failed'),
    ),
  )
}

/** The line of a test changes with every edit above it. */
const nameOf = (name: string): string => name.replace(/ @ \d{1,9}: /, ' ')
