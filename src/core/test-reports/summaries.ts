/**
 * Reads runners whose output is a sum, with the names of failed tests at most: RSpec, minitest, busted, prove, PHPUnit, AVA, uvu
 * and automake.
 */
import type { Counts } from '../event-schemas/evidence.ts'
import {
  counted,
  countsIn,
  matchesIn,
  numberOf,
  outcomeOf,
  reportedTest,
  summedReport,
  sumIn,
  testsIn,
  type ReportedTest,
  type TestReport,
} from './report.ts'

interface Summary {
  readonly format: string
  /** Null if the output is of another runner. */
  readonly counts: (lines: readonly string[]) => Counts | null
  /** Those that it names always; all of them with an option, as `named`. */
  readonly tests: (lines: readonly string[]) => readonly ReportedTest[]
  readonly named?: (lines: readonly string[]) => readonly ReportedTest[]
}

const failed = (name: string, file: string | null = null): ReportedTest => reportedTest(name, 'failed', file)

/** A sum over several lines, each with a word; null without the first. */
function sums(lines: readonly string[], [first, ...more]: readonly [RegExp, ...RegExp[]]): number[] | null {
  return lines.some((line) => first.test(line)) ? [first, ...more].map((one) => sumIn(lines, one)) : null
}

const RSPEC =
  /^(?<run>\d{1,9}) examples?, (?<failed>\d{1,9}) failures?(?:, (?<skipped>\d{1,9}) pending)?(?:, (?<errors>\d{1,9}) errors? occurred outside of examples)?$/
const RSPEC_FAILED = /^rspec (?:'|\.\/)?(?<file>[^\s:[]+)\S* # (?<name>.+)$/

const MINITEST =
  /^(?<run>\d{1,9}) (?:runs|tests), \d{1,9} assertions, (?<failed>\d{1,9}) failures, (?<errors>\d{1,9}) errors(?:, \d{1,9} pendings)?(?:, (?<skipped>\d{1,9}) (?:skips|omissions))?/
const MINITEST_FAILED = /^(?: {0,3}\d{1,9}\) (?:Failure|Error):)$/

const MINITEST_TEST = /^(?<name>\S.*#test_.*) = \d[\d.]* s = (?<word>[.FES])$/
const TEST_UNIT_CLASS = /^ *([A-Z]\S*): $/
const TEST_UNIT_TEST = /^ +(test\S*|test: .*?):\t+([.FEOPN])/

/** The tests of a class are indented below it. */
function verboseTestUnit(lines: readonly string[]): readonly ReportedTest[] {
  let around = ''
  return lines.flatMap((line) => {
    around = TEST_UNIT_CLASS.exec(line)?.[1] ?? around
    const [, name, mark = ''] = TEST_UNIT_TEST.exec(line) ?? []
    return name === undefined ? [] : [reportedTest(`${around}#${name}`, outcomeOf(mark))]
  })
}

const BUSTED =
  /^(?<passed>\d{1,9}) success(?:es)? \/ (?<failed>\d{1,9}) failures? \/ (?<errors>\d{1,9}) errors? \/ (?<skipped>\d{1,9}) pending/
const BUSTED_FAILED = /^(?:Failure|Error) (?:->|→) (\S+) @ \d{1,9}$/

const PROVE = /^Files=\d{1,9}, Tests=(\d{1,9}),/
const PROVE_FAILED = /^#\s{1,9}Failed test '(?<name>.+)'$/

const PHPUNIT_OK = /^OK \((\d{1,9}) tests?, \d{1,9} assertions?\)$/
const PHPUNIT_SUM = /^Tests: \d{1,9}, Assertions: \d{1,9}(?:, [A-Z][A-Za-z ]{2,30}: \d{1,9}){0,9}\.$/
const PHPUNIT_FAILED = /^\d{1,9}\) (?<name>[\w\\]+::\w.*)$/

const AVA_TEST =
  /^ {2}(?<word>✔|✘(?= \[fail\]:)|-(?= \[(?:skip|todo)\]))(?: \[\w+\]:?)? (?<name>.+?)(?: \(\d[\d.]*m?s\))?$/

const UVU_FAILED = /^ {1,9}FAIL {1,9}(?:(\S.*?) {1,9})?"(.+)"$/

const AUTOMAKE_TEST = /^(?<word>PASS|FAIL|XPASS|ERROR|SKIP|XFAIL): (?<name>\S.*)$/

const SUMMARIES: readonly Summary[] = [
  {
    format: 'rspec',
    counts: (lines) => countsIn(lines, RSPEC),
    tests: (lines) => testsIn(lines, RSPEC_FAILED),
  },
  {
    format: 'minitest',
    counts: (lines) => countsIn(lines, MINITEST),
    tests: (lines) => after(lines, MINITEST_FAILED, (line) => failed(line.replace(/(?: \[[^\]]*\])?:$/, ''))),
    named: (lines) => [...testsIn(lines, MINITEST_TEST), ...verboseTestUnit(lines)],
  },
  {
    format: 'busted',
    counts: (lines) => countsIn(lines, BUSTED),
    tests: (lines) => after(lines, BUSTED_FAILED, (line, [, file = '']) => failed(line, file)),
  },
  {
    format: 'prove',
    counts(lines) {
      const found = sums(lines, [
        PROVE,
        /\bFailed (\d{1,9})\/\d{1,9} subtests/,
        /less (\d{1,9}) skipped subtest/,
      ])
      if (found === null) return null
      const [run = 0, bad = 0, skipped = 0] = found
      return counted(Math.max(0, run - bad - skipped), bad, skipped)
    },
    tests: (lines) => testsIn(lines, PROVE_FAILED),
  },
  {
    format: 'phpunit',
    counts(lines) {
      const green = sums(lines, [PHPUNIT_OK])
      if (green !== null) return counted(green[0] ?? 0, 0, 0)
      const sum = lines.findLast((line) => PHPUNIT_SUM.test(line))
      if (sum === undefined) return null
      const of = (word: string): number => numberOf(new RegExp(`\\b${word}: (\\d{1,9})`).exec(sum)?.[1])
      const [bad, skipped] = [of('Errors') + of('Failures'), of('Skipped') + of('Incomplete')]
      return counted(Math.max(0, of('Tests') - bad - skipped), bad, skipped)
    },
    tests(lines) {
      const starts = lines.findIndex((line) => /^There (?:was|were) \d{1,9} (?:failure|error)s?:$/.test(line))
      return starts === -1 ? [] : testsIn(lines.slice(starts), PHPUNIT_FAILED)
    },
  },
  {
    format: 'ava',
    counts(lines) {
      const sum = (word: string): number => sumIn(lines, new RegExp(`^ {2}(\\d{1,9}) tests? ${word}$`))
      const isAva = lines.some((line) => /^ {2}\d{1,9} tests? (?:passed|failed|skipped|todo)$/.test(line))
      // Where some fail, it does not say how many passed.
      const listed = testsIn(lines, AVA_TEST).filter(({ outcome }) => outcome === 'passed').length
      return isAva ? counted(sum('passed') || listed, sum('failed'), sum('skipped') + sum('todo')) : null
    },
    tests: (lines) =>
      testsIn(lines, AVA_TEST).map((test) => ({ ...test, name: test.name.replaceAll(' › ', ' > ') })),
  },
  {
    format: 'uvu',
    counts(lines) {
      const found = sums(lines, [
        /^ {2}Total: +(\d{1,9})$/,
        /^ {2}Passed: +(\d{1,9})$/,
        /^ {2}Skipped: +(\d{1,9})$/,
      ])
      if (found === null) return null
      const [total = 0, passed = 0, skipped = 0] = found
      return counted(passed, Math.max(0, total - passed), skipped)
    },
    tests: (lines) =>
      matchesIn(lines, UVU_FAILED).map(([, suite, name = '']) =>
        failed(suite === undefined ? name : `${suite} > ${name}`),
      ),
  },
  {
    format: 'automake',
    counts(lines) {
      const found = sums(lines, [
        /^# TOTAL: +(\d{1,9})$/,
        /^# PASS: +(\d{1,9})$/,
        /^# (?:SKIP|XFAIL): +(\d{1,9})$/,
      ])
      if (found === null) return null
      const [total = 0, passed = 0, skipped = 0] = found
      return counted(passed, Math.max(0, total - passed - skipped), skipped)
    },
    tests: (lines) => testsIn(lines, AUTOMAKE_TEST),
  },
]

/** What the line behind each match names. */
function after(
  lines: readonly string[],
  pattern: RegExp,
  named: (line: string, match: RegExpExecArray) => ReportedTest,
): readonly ReportedTest[] {
  return lines.flatMap((line, at) => {
    const match = pattern.exec(line)
    return match === null ? [] : [named(lines[at + 1] ?? '', match)]
  })
}

export function readSummary(lines: readonly string[]): TestReport | null {
  for (const { format, counts, tests, named } of SUMMARIES) {
    const found = counts(lines)
    if (found !== null) return summedReport(format, found, named?.(lines) ?? [], tests(lines))
  }
  return null
}
