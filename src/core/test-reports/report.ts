/** The report of a test run, for all runners. Readers expect text without escape sequences and never throw. */
import type { Counts } from '../event-schemas/evidence.ts'

export const REPORT_FORMATS = [
  'junit',
  'tap',
  'node-spec',
  'vitest',
  'jest',
  'pytest',
  'ctest',
  'go',
  'cargo',
  'dotnet',
  'surefire',
  'unittest',
  'mocha',
] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

export type TestOutcome = 'passed' | 'failed' | 'skipped' | 'todo'

export interface ReportedTest {
  /** Includes the names of its suites, so that it is unique. */
  readonly name: string
  readonly file: string | null
  readonly outcome: TestOutcome
}

export interface TestReport {
  readonly format: ReportFormat
  /** Every test by name; null if the runner does not name them all. */
  readonly tests: readonly ReportedTest[] | null
  /** The names of all failed tests; null if not all are named. */
  readonly failures: readonly string[] | null
  readonly counts: Counts
  /** Contradictions in the report. A report with doubts cannot pass. */
  readonly doubts: readonly string[]
}

/** Null if the text is not in this format. */
export type ReportReader = (text: string) => TestReport | null

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
  format: ReportFormat,
  tests: readonly ReportedTest[],
  doubts: readonly string[] = [],
): TestReport {
  return { format, ...named(tests), counts: countTests(tests), doubts }
}

function named(tests: readonly ReportedTest[]): Pick<TestReport, 'tests' | 'failures'> {
  if (tests.length > MAX_TESTS) return { tests: null, failures: null }
  return { tests, failures: tests.filter(({ outcome }) => outcome === 'failed').map(testKey) }
}

/** Trusts the summary; test names count only if they agree with it, because test output can look like a result. */
export function summedReport(
  format: ReportFormat,
  counts: Counts,
  tests: readonly ReportedTest[],
  doubts: readonly string[] = [],
): TestReport {
  const found = countTests(tests)
  const { failures } = named(tests)
  const isWhole = found.passed === counts.passed && found.failed === counts.failed
  return {
    format,
    tests: isWhole ? named(tests).tests : null,
    failures: found.failed === counts.failed ? failures : null,
    counts,
    doubts,
  }
}

/** Parses a count; 0 if it is invalid. */
export function numberOf(digits: string | undefined): number {
  const value = Number(digits ?? '')
  return Number.isSafeInteger(value) && value >= 0 ? value : 0
}

/** Makes paths relative, so that tests of two checkouts are comparable. */
export function relativeTo(report: TestReport, folders: readonly string[]): TestReport {
  const prefixes = folders.map((folder) => `${folder}/`)
  const short = (text: string): string => prefixes.reduce((rest, prefix) => rest.replaceAll(prefix, ''), text)
  return {
    ...report,
    tests:
      report.tests?.map((test) => {
        return { ...test, name: short(test.name), file: test.file === null ? null : short(test.file) }
      }) ?? null,
    failures: report.failures?.map(short) ?? null,
  }
}
