/** The report of a test run, for all runners. Readers expect text without escape sequences and never throw. */
import { literalPattern } from '../../lib/text/counted.ts'
import type { Counts } from '../event-schemas/evidence.ts'

export type TestOutcome = 'passed' | 'failed' | 'skipped' | 'todo'

export interface ReportedTest {
  /** Includes the names of its suites, so that it is unique. */
  readonly name: string
  readonly file: string | null
  readonly outcome: TestOutcome
}

export interface TestReport {
  /** The name of the reader. */
  readonly format: string
  /** Every test by name; null if the runner does not name them all. */
  readonly tests: readonly ReportedTest[] | null
  /** The names of all failed tests; null if not all are named. */
  readonly failures: readonly string[] | null
  readonly counts: Counts
  /** Contradictions in the report. A report with doubts cannot pass. */
  readonly doubts: readonly string[]
}

/** Null if the output is not in this format. `lines` are those of `text`, bounded. */
export type ReportReader = (lines: readonly string[], text: string) => TestReport | null

/** The name of the one test of a file that its runner could not load. */
export const BROKEN_FILE = 'the file could not be run'

export const MAX_TESTS = 100_000
/** Some runners write half a dozen lines for each test. */
const MAX_LINES = 10 * MAX_TESTS
const LONGEST_LINE = 2_000
const LONGEST_NAME = 500

/** The last lines of a text, each bounded in length. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  return (lines.length > MAX_LINES ? lines.slice(-MAX_LINES) : lines).map((line) => {
    const plain = line.endsWith('\r') ? line.slice(0, -1) : line
    return plain.length > LONGEST_LINE ? plain.slice(0, LONGEST_LINE) : plain
  })
}

export function cutName(name: string): string {
  const plain = name.trim().replace(/\s+/g, ' ')
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain
}

export const NO_COUNTS: Counts = { run: 0, passed: 0, failed: 0, skipped: 0 }

export function counted(passed: number, failed: number, skipped: number): Counts {
  return { run: passed + failed, passed, failed, skipped }
}

export function countTests(tests: readonly ReportedTest[]): Counts {
  let [passed, failed, skipped] = [0, 0, 0]
  for (const { outcome } of tests) {
    if (outcome === 'passed') passed++
    else if (outcome === 'failed') failed++
    else skipped++
  }
  return counted(passed, failed, skipped)
}

/** A unique name: the file distinguishes tests of the same name. */
export function testKey(test: ReportedTest): string {
  return test.file === null || test.name.startsWith(test.file) ? test.name : `${test.file} > ${test.name}`
}

/** A report of tests that are all named. */
export function namedReport(
  format: string,
  tests: readonly ReportedTest[],
  doubts: readonly string[] = [],
): TestReport {
  const isBounded = tests.length <= MAX_TESTS
  return {
    format,
    tests: isBounded ? tests : null,
    failures: isBounded ? failuresOf(tests) : null,
    counts: countTests(tests),
    doubts,
  }
}

const failuresOf = (tests: readonly ReportedTest[]): readonly string[] =>
  tests.filter(({ outcome }) => outcome === 'failed').map(testKey)

/**
 * Trusts the summary; names count only if they agree with it, because test output can look like a result. Of several
 * lists of tests, the first that agrees counts.
 */
export function summedReport(
  format: string,
  counts: Counts,
  ...lists: readonly (readonly ReportedTest[])[]
): TestReport {
  const bounded = lists.filter(({ length }) => length <= MAX_TESTS)
  const withFailures = bounded.filter((tests) => countTests(tests).failed === counts.failed)
  const tests = withFailures.find((list) => countTests(list).passed === counts.passed) ?? null
  const listed = tests ?? withFailures[0]
  return { format, tests, failures: listed === undefined ? null : failuresOf(listed), counts, doubts: [] }
}

/** What runners write for an outcome. Everything else is a failure. */
const OUTCOMES: ReadonlyMap<string, TestOutcome> = new Map(
  Object.entries({
    passed: '✓ ✔ √ . ok OK PASS PASSED Passed passed',
    skipped:
      '○ ↓ ﹣ - S O P N SKIP SKIPPED Skipped skipped ignored pending disabled focused DISABLED EXPECTEDFAIL',
    todo: '✎ □ ⚠ XFAIL expected todo',
  } as const).flatMap(([outcome, words]) =>
    words.split(' ').map((word) => [word, outcome as TestOutcome] as const),
  ),
)

export const outcomeOf = (word: string): TestOutcome => OUTCOMES.get(word) ?? 'failed'

/** One test for each line that the pattern matches, by its groups `name`, `word` and `file`; without a name, the whole file. */
export const testsIn = (lines: readonly string[], pattern: RegExp): readonly ReportedTest[] =>
  matchesIn(lines, pattern).map(({ groups = {} }) =>
    reportedTest(groups['name'] ?? BROKEN_FILE, outcomeOf(groups['word'] ?? ''), groups['file'] ?? null),
  )

/** What a pattern matches, at most once a line. */
export const matchesIn = (lines: readonly string[], pattern: RegExp): readonly RegExpExecArray[] =>
  lines.map((line) => pattern.exec(line)).filter((match) => match !== null)

/** The sum of the numbers that the first group of a pattern matches. */
export const sumIn = (lines: readonly string[], pattern: RegExp): number =>
  matchesIn(lines, pattern).reduce((sum, match) => sum + numberOf(match[1]), 0)

/** The sum of the numbers before a word: `2 passed, 1 failed`. */
export const sumBefore = (lines: readonly string[], word: string): number =>
  sumIn(lines, new RegExp(`\\b(\\d{1,9}) ${word}\\b`))

/** The sums of all summary lines, by the names of the pattern's groups; null if no line matches. */
export function countsIn(lines: readonly string[], summary: RegExp): Counts | null {
  const found = matchesIn(lines, summary)
  if (found.length === 0) return null
  const sum = (group: string): number =>
    found.reduce((total, { groups }) => total + numberOf(groups?.[group]), 0)
  const [failed, skipped] = [sum('failed') + sum('errors'), sum('skipped')]
  // Some runners print the number of all tests, and not of those that passed.
  return counted(Math.max(sum('passed'), sum('run') - failed - skipped), failed, skipped)
}

export function reportedTest(name: string, outcome: TestOutcome, file: string | null = null): ReportedTest {
  return { name: cutName(name), file: file === null ? null : cutName(file), outcome }
}

const MAX_DEPTH = 32

/** The tests of an indented list, in which every line that the pattern does not match is a suite with the deeper lines below it. */
export function indentedTests(
  lines: readonly string[],
  pattern: RegExp,
  file: string | null = null,
): readonly ReportedTest[] {
  let around: { readonly indent: number; readonly name: string }[] = []
  return lines.flatMap((line) => {
    const name = line.trim()
    if (name === '') return []
    const indent = /^ */.exec(line)?.[0].length ?? 0
    around = around.filter((suite) => suite.indent < indent)
    const [test] = testsIn([line], pattern)
    if (test === undefined && indent > 0 && around.length < MAX_DEPTH) around.push({ indent, name })
    if (test === undefined) return []
    return [reportedTest([...around, test].map((one) => one.name).join(' > '), test.outcome, file)]
  })
}

/** Parses a count; 0 if it is invalid. */
export function numberOf(digits: string | undefined): number {
  const value = Number(digits ?? '')
  return Number.isSafeInteger(value) && value >= 0 ? value : 0
}

/** Makes paths relative, so that tests of two checkouts are comparable. */
export function relativeTo(report: TestReport, folders: readonly string[]): TestReport {
  const inside = folders.map((folder) => `${folder}/`)
  const whole = folders.map((folder) => new RegExp(`${literalPattern(folder)}(?![\\w-]|\\.\\w)`, 'g'))
  const short = (text: string): string => {
    const rest = inside.reduce((left, prefix) => left.replaceAll(prefix, ''), text)
    return whole.reduce((left, folder) => left.replaceAll(folder, '.'), rest)
  }
  return {
    ...report,
    tests:
      report.tests?.map((test) => {
        return { ...test, name: short(test.name), file: test.file === null ? null : short(test.file) }
      }) ?? null,
    failures: report.failures?.map(short) ?? null,
  }
}

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi
/** A number, an address, a random value: any word with a digit in it. */
const VALUE = /\w*\d\w*/g
const DURATION = / ?\(?\d[\d.]* ?(?:ms|s|m)\)?$/

/** The same for names that differ in numbers, addresses and durations only. */
export function neutralName(name: string): string {
  const plain = name.replace(DURATION, '').replace(UUID, '#').replace(VALUE, '#')
  return plain.replace(/[-+]?#(?:[.,:_+-]+#)*/g, '#')
}

/** Without the suites around it. */
export const leafOf = (name: string): string => name.split(' > ').at(-1) ?? ''

/** Without the values that a runner puts behind it: `test_adds[1-2]`. */
export const withoutParameters = (name: string): string => name.replace(PARAMETERS, '')

/** Those values; null without any. */
export const parametersOf = (name: string): string | null => PARAMETERS.exec(name)?.[1] ?? null
const PARAMETERS = /(?<=(?:^| > )[^\s[]*\w)\[(.*)\]$/s

/** The name as a source has it: without suites, values, and the folders and modules of a name without spaces. */
export function titleOf(name: string): string {
  const own = withoutParameters(leafOf(name)).trim()
  return /\s/.test(own) ? own : (own.split(/::|[/#.]/).at(-1) ?? own)
}
