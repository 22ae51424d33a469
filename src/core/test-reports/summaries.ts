/**
 * Reads runners whose output is a sum, with the names of failed tests at most: RSpec, minitest, busted, prove, PHPUnit, AVA, uvu
 * and automake.
 */
import type { Counts } from '../event-schemas/evidence.ts'
import { counted, countsIn, matchesIn, numberOf, reportedTest, summedReport, sumIn } from './report.ts'
import type { ReportedTest, TestOutcome, TestReport } from './report.ts'

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
const RSPEC_FAILED = /^rspec (?:'|\.\/)?([^\s:[]+)\S* # (.+)$/

const MINITEST =
  /^(?<run>\d{1,9}) (?:runs|tests), \d{1,9} assertions, (?<failed>\d{1,9}) failures, (?<errors>\d{1,9}) errors(?:, \d{1,9} pendings)?(?:, (?<skipped>\d{1,9}) (?:skips|omissions))?/
const MINITEST_FAILED = /^(?: {0,3}\d{1,9}\) (?:Failure|Error):)$/

const MINITEST_TEST = /^(\S.*#test_.*) = \d[\d.]* s = ([.FES])$/
const TEST_UNIT_CLASS = /^ *([A-Z]\S*): $/
const TEST_UNIT_TEST = /^ +(test\S*|test: .*?):\t+([.FEOPN])/
const RUBY_OUTCOMES: Readonly<Record<string, TestOutcome>> = { '.': 'passed', F: 'failed', E: 'failed' }

const verboseMinitest = (lines: readonly string[]): readonly ReportedTest[] =>
  matchesIn(lines, MINITEST_TEST).map(([, name = '', mark = '']) =>
    reportedTest(name, RUBY_OUTCOMES[mark] ?? 'skipped'),
  )

/** The tests of a class are indented below it. */
function verboseTestUnit(lines: readonly string[]): readonly ReportedTest[] {
  let around = ''
  return lines.flatMap((line) => {
    around = TEST_UNIT_CLASS.exec(line)?.[1] ?? around
    const [, name, mark = ''] = TEST_UNIT_TEST.exec(line) ?? []
    return name === undefined ? [] : [reportedTest(`${around}#${name}`, RUBY_OUTCOMES[mark] ?? 'skipped')]
  })
}

const BUSTED =
  /^(?<passed>\d{1,9}) success(?:es)? \/ (?<failed>\d{1,9}) failures? \/ (?<errors>\d{1,9}) errors? \/ (?<skipped>\d{1,9}) pending/
const BUSTED_FAILED = /^(?:Failure|Error) (?:->|→) (\S+) @ \d{1,9}$/

const PROVE = /^Files=\d{1,9}, Tests=(\d{1,9}),/
const PROVE_FAILED = /^#\s{1,9}Failed test '(.+)'$/

const PHPUNIT_OK = /^OK \((\d{1,9}) tests?, \d{1,9} assertions?\)$/
const PHPUNIT_SUM = /^Tests: \d{1,9}, Assertions: \d{1,9}(?:, [A-Z][A-Za-z ]{2,30}: \d{1,9}){0,9}\.$/
const PHPUNIT_FAILED = /^\d{1,9}\) ([\w\\]+::\w.*)$/

const AVA_TEST = /^ {2}(✔|✘ \[fail\]:|- \[skip\]|- \[todo\]) (.+?)(?: \(\d[\d.]*m?s\))?$/
const AVA_OUTCOMES: Readonly<Record<string, TestOutcome>> = { '✔': 'passed', '✘': 'failed', '-': 'skipped' }

const UVU_FAILED = /^ {1,9}FAIL {1,9}(?:(\S.*?) {1,9})?"(.+)"$/

const AUTOMAKE_TEST = /^(PASS|FAIL|XPASS|ERROR|SKIP|XFAIL): (\S.*)$/
const AUTOMAKE_OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  PASS: 'passed',
  SKIP: 'skipped',
  XFAIL: 'skipped',
}

const SUMMARIES: readonly Summary[] = [
  {
    format: 'rspec',
    counts: (lines) => countsIn(lines, RSPEC),
    tests: (lines) => matchesIn(lines, RSPEC_FAILED).map(([, file = '', name = '']) => failed(name, file)),
  },
  {
    format: 'minitest',
    counts: (lines) => countsIn(lines, MINITEST),
    tests: (lines) => after(lines, MINITEST_FAILED, (line) => failed(line.replace(/(?: \[[^\]]*\])?:$/, ''))),
    named: (lines) => [...verboseMinitest(lines), ...verboseTestUnit(lines)],
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
    tests: (lines) => matchesIn(lines, PROVE_FAILED).map(([, name = '']) => failed(name)),
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
      return starts === -1
        ? []
        : matchesIn(lines.slice(starts), PHPUNIT_FAILED).map(([, name = '']) => failed(name))
    },
  },
  {
    format: 'ava',
    counts(lines) {
      const sum = (word: string): number => sumIn(lines, new RegExp(`^ {2}(\\d{1,9}) tests? ${word}$`))
      const isAva = lines.some((line) => /^ {2}\d{1,9} tests? (?:passed|failed|skipped|todo)$/.test(line))
      // Where some fail, it does not say how many passed.
      const listed = matchesIn(lines, AVA_TEST).filter(([, mark]) => mark === '✔').length
      return isAva ? counted(sum('passed') || listed, sum('failed'), sum('skipped') + sum('todo')) : null
    },
    tests: (lines) =>
      matchesIn(lines, AVA_TEST).map(([, mark = '', name = '']) =>
        reportedTest(name.replaceAll(' › ', ' > '), AVA_OUTCOMES[mark.slice(0, 1)] ?? 'failed'),
      ),
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
    tests: (lines) =>
      matchesIn(lines, AUTOMAKE_TEST).map(([, word = '', name = '']) =>
        reportedTest(name, AUTOMAKE_OUTCOMES[word] ?? 'failed'),
      ),
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
