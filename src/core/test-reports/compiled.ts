/** Reads what the test runners of compiled languages print: go, cargo, ctest, Meson, GoogleTest, Surefire and dotnet. */
import type { Counts } from '../event-schemas/evidence.ts'
import {
  counted,
  countsIn,
  countTests,
  matchesIn,
  namedReport,
  NO_COUNTS,
  outcomeOf,
  reportedTest,
  summedReport,
  sumIn,
  testsIn,
  type ReportedTest,
  type TestOutcome,
  type TestReport,
} from './report.ts'

const GO_RESULT = /^ *--- (PASS|FAIL|SKIP): (\S+) \(\d[\d.]*s\)$/
const GO_PACKAGE = /^(ok|FAIL|\?) *\t(\S+)(?:\t| \[)(.*)$/

/** The result of a test, or of a whole package. */
interface GoResult {
  readonly pkg: string
  readonly test: string | null
  readonly outcome: TestOutcome
}

/** `go test`: JSON lines, tests by name with -v, else packages. */
export function readGo(lines: readonly string[]): TestReport | null {
  const results = goEvents(lines) ?? goLines(lines)
  if (results === null) return null
  return namedReport('go', [...Map.groupBy(results, ({ pkg }) => pkg)].flatMap(goTests))
}

/** A package counts as one test if none of its tests explains its result, so that a build failure shows. */
function goTests([pkg, results]: readonly [string, readonly GoResult[]]): readonly ReportedTest[] {
  const named = results.flatMap(({ test, outcome }) =>
    test === null ? [] : [reportedTest(`${pkg} > ${test}`, outcome)],
  )
  const own = results.flatMap(({ test, outcome }) => (test === null ? [reportedTest(pkg, outcome)] : []))
  const isExplained = ({ outcome }: ReportedTest): boolean =>
    outcome === 'failed' ? named.some((test) => test.outcome === 'failed') : named.length > 0
  return [...named, ...own.filter((one) => !isExplained(one))]
}

/** With `-json` every test is named, so that only failures of a package count. */
function goEvents(lines: readonly string[]): readonly GoResult[] | null {
  const events = lines.flatMap((line) => goEvent(line) ?? [])
  if (events.length === 0) return null
  return events.flatMap(({ Action, Package: pkg, Test: test = null }) => {
    const outcome = outcomeOf(Action.toUpperCase())
    const isResult = /^(pass|fail|skip)$/.test(Action) && (test !== null || outcome === 'failed')
    return isResult ? [{ pkg, test, outcome }] : []
  })
}

interface GoEvent {
  readonly Action: string
  readonly Package: string
  readonly Test?: string
}

function goEvent(line: string): GoEvent | null {
  if (!line.startsWith('{"') || !line.includes('"Action":')) return null
  try {
    const event = JSON.parse(line) as Partial<Record<keyof GoEvent, unknown>>
    const { Action, Package, Test } = event
    if (typeof Action !== 'string' || typeof Package !== 'string') return null
    return { Action, Package, ...(typeof Test === 'string' ? { Test } : {}) }
  } catch {
    // An incomplete line, or output of a test.
    return null
  }
}

/** The line of a package is below those of its tests. */
function goLines(lines: readonly string[]): readonly GoResult[] | null {
  const results: GoResult[] = []
  let isGo = false
  let tests: Omit<GoResult, 'pkg'>[] = []
  for (const line of lines) {
    const [, word = '', test] = GO_RESULT.exec(line) ?? []
    if (test !== undefined) tests.push({ test, outcome: outcomeOf(word) })
    const [, result, pkg = '', rest = ''] = GO_PACKAGE.exec(line) ?? []
    if (result === undefined) continue
    isGo = true
    if (result === '?' || (result === 'ok' && rest.includes('[no tests to run]'))) tests = []
    else tests.push({ test: null, outcome: outcomeOf(result) })
    results.push(...tests.map((one) => ({ ...one, pkg })))
    tests = []
  }
  return isGo ? results : null
}

const CARGO_RESULT = /^test (\S.*) \.\.\. (ok|FAILED|ignored)(?:,.*)?$/
const CARGO_STARTED = /^test (\S.*?) \.\.\. /
const CARGO_SUM =
  /^test result: (?:ok|FAILED)\. (?<passed>\d{1,9}) passed; (?<failed>\d{1,9}) failed; (?<skipped>\d{1,9}) ignored;/
const CARGO_BLOCK = /^running \d{1,9} tests?$/

/**
 * `cargo test`: one block per target. Cargo writes the name of a target to standard error and the binary its block to standard
 * output, so both are in order and yet mixed in any way: the first name belongs to the first block.
 */
export function readCargo(lines: readonly string[]): TestReport | null {
  const counts = countsIn(lines, CARGO_SUM)
  if (counts === null) return null
  const targets = lines.flatMap((line) => cargoTarget(line) ?? [])
  const starts = lines.flatMap((line, at) => (CARGO_BLOCK.test(line) ? [at] : []))
  const tests = starts.flatMap((start, place) => {
    const target = targets[Math.min(place, targets.length - 1)] ?? ''
    return cargoTests(lines.slice(start, starts[place + 1]), target)
  })
  return summedReport('cargo', counts, tests)
}

/** What a test writes to standard error may stand between its name and its outcome. */
function cargoTests(lines: readonly string[], target: string): readonly ReportedTest[] {
  let open: string | null = null
  return lines.flatMap((line) => {
    const [, whole, word = line] = CARGO_RESULT.exec(line) ?? []
    const name = whole ?? (/^(ok|FAILED|ignored)$/.test(line) ? open : null)
    open = name === null ? (CARGO_STARTED.exec(line)?.[1] ?? open) : null
    if (name === null) return []
    const path = `${target === '' ? '' : `${target} > `}${name.replace(/ - should panic$/, '')}`
    return [reportedTest(path, outcomeOf(word))]
  })
}

/** `Running unittests src/lib.rs (target/…)` or `Doc-tests cart`, without the hash, which differs between builds. */
function cargoTarget(line: string): string | null {
  const running = /^ {1,9}Running (?:unittests )?(\S+) \(/.exec(line)
  const docs = /^ {1,9}Doc-tests (\S+)$/.exec(line)
  return running?.[1] ?? (docs === null ? null : `doc-tests ${docs[1] ?? ''}`)
}

const CTEST_RESULT = /^ {0,9}\d{1,9}\/\d{1,9} Test +#\d{1,9}: (.*)$/
const CTEST_SUM = /^\d{1,3}% tests passed, (?<failed>\d{1,9}) tests? failed out of (?<run>\d{1,9})$/

export function readCTest(lines: readonly string[]): TestReport | null {
  if (lines.some((line) => line.startsWith('No tests were found!!!'))) return namedReport('ctest', [])
  const summed = countsIn(lines, CTEST_SUM)
  if (summed === null) return null
  const tests = matchesIn(lines, CTEST_RESULT).map(([, rest = '']) => ctestResult(rest))
  const found = countTests(tests)
  // Depending on its version, ctest counts skipped tests among all or not.
  const passed = Math.min(found.passed, summed.passed)
  return summedReport('ctest', counted(passed, summed.failed, found.skipped), tests)
}

/** `adds .........   Passed    0.00 sec`: dots fill the space between name and result. */
function ctestResult(rest: string): ReportedTest {
  const dots = rest.indexOf(' ..')
  const name = dots === -1 ? rest.split(/ {2,}|\*\*\*/, 1)[0] : rest.slice(0, dots)
  const isSkipped = /\*\*\*(Skipped|Not Run \(Disabled\))/.test(rest)
  const isPassed = / Passed +\d[\d.]* sec$/.test(rest) && !rest.includes('***')
  return reportedTest(name ?? rest, isSkipped ? 'skipped' : isPassed ? 'passed' : 'failed')
}

const MESON_TEST =
  /^ {0,9}\d{1,9}\/\d{1,9} (?<name>\S.*?) {1,99}(?<word>[A-Z]{2,20}) {1,20}\d[\d.]{0,12}s(?: |$)/

/** `meson test`: one line a test. */
export function readMeson(lines: readonly string[]): TestReport | null {
  if (lines.includes('No tests defined.')) return namedReport('meson', [])
  const sum = (word: string): number => sumIn(lines, new RegExp(`^${word}: +(\\d{1,9}) *$`))
  if (!lines.some((line) => /^Unexpected Pass: +\d{1,9} *$/.test(line))) return null
  const failed = sum('Fail') + sum('Unexpected Pass') + sum('Timeout')
  const counts = counted(sum('Ok'), failed, sum('Skipped') + sum('Expected Fail'))
  return summedReport('meson', counts, testsIn(lines, MESON_TEST))
}

/** Two marks a test, with its name behind them; its line in a file changes with every edit above it. */
const GTEST_TEST =
  /^\[ {0,9}(?<word>OK|FAILED|SKIPPED|ERROR|DISABLED) {0,9}\] (?<name>\S.*?) \(\d[\d.]{0,12} ?ms(?: total)?\)$/

/** GoogleTest, and runners that print like it. */
export function readGTest(lines: readonly string[]): TestReport | null {
  const isWhole = lines.some(
    (line) => /^\[={5,20}\] \d{1,9} tests? from \d/.test(line) && line.includes(' ran.'),
  )
  if (!isWhole) return null
  const tests = testsIn(lines, GTEST_TEST).map(({ name, outcome }) =>
    reportedTest(name.replace(/ @ \d{1,9}: /, ' '), outcome),
  )
  return namedReport('gtest', tests)
}

/** The line of a class continues with the time; the total of a module does not. */
const SUREFIRE_SUM =
  /^\[(?:INFO|WARNING|ERROR)\] +Tests run: (?<run>\d{1,9}), Failures: (?<failed>\d{1,9}), Errors: (?<errors>\d{1,9}), Skipped: (?<skipped>\d{1,9})$/
const MAVEN = /^\[(INFO|ERROR)\] +(BUILD (SUCCESS|FAILURE)|No tests to run\.)/

/** Surefire and Failsafe of Maven: a total per module, and failed tests by name. */
export function readSurefire(lines: readonly string[]): TestReport | null {
  const counts = countsIn(lines, SUREFIRE_SUM)
  if (counts !== null) return summedReport('surefire', counts, lines.flatMap(surefireFailure))
  return lines.some((line) => MAVEN.test(line)) ? summedReport('surefire', NO_COUNTS, []) : null
}

/** `com.acme.CartTest.adds -- Time elapsed`, formerly `adds(com.acme.CartTest)  Time elapsed`. */
function surefireFailure(line: string): readonly ReportedTest[] {
  const isFailure = line.endsWith(' <<< FAILURE!') || line.endsWith(' <<< ERROR!')
  if (!isFailure || !line.startsWith('[ERROR] ') || line.includes('Tests run:')) return []
  const name = line.slice('[ERROR] '.length).trimStart().split(' ', 1)[0] ?? ''
  const at = name.endsWith(')') ? name.indexOf('(') : -1
  const full = at === -1 ? name : `${name.slice(at + 1, -1)}.${name.slice(0, at)}`
  return [reportedTest(full, 'failed')]
}

const DOTNET_PROJECT =
  /^(?:Passed|Failed|Skipped)! +- Failed: +(?<failed>\d{1,9}), Passed: +(?<passed>\d{1,9}), Skipped: +(?<skipped>\d{1,9}), Total: +\d{1,9}/
const DOTNET_WHOLE =
  /^Test summary: total: \d{1,9}, failed: (?<failed>\d{1,9}), succeeded: (?<passed>\d{1,9}), skipped: (?<skipped>\d{1,9})/
const DOTNET_TEST = /^ {2}(?<word>Passed|Failed|Skipped) (?<name>\S.*?)(?: \[[^\]]{1,30}\])?$/
const DOTNET_EMPTY = /^No test (is available|matches the given testcase filter)/

/** `dotnet test`: one line per project, and test names with the detailed logger. */
export function readDotnet(lines: readonly string[]): TestReport | null {
  const counts = countsIn(lines, DOTNET_WHOLE) ?? countsIn(lines, DOTNET_PROJECT) ?? oldDotnet(lines)
  if (counts !== null) return summedReport('dotnet', counts, testsIn(lines, DOTNET_TEST))
  return lines.some((line) => DOTNET_EMPTY.test(line)) ? summedReport('dotnet', NO_COUNTS, []) : null
}

/** `Total tests: 6` and the numbers below it. */
function oldDotnet(lines: readonly string[]): Counts | null {
  const start = lines.findLastIndex((line) => /^Total tests: \d{1,9}/.test(line))
  if (start === -1) return null
  const below = lines.slice(start, start + 6)
  const sum = (word: string): number => sumIn(below, new RegExp(`^ +${word}: (\\d{1,9})`))
  return counted(sum('Passed'), sum('Failed'), sum('Skipped'))
}
