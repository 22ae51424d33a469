/**
 * Judges a test run. A run without tests does not pass, nor does one with a failing exit code, and every test that passed on
 * the base must pass again (see `compareTests`).
 */
import { firstFew } from '../../../lib/text/counted.ts'
import type { Ending, Finding } from '../../event-schemas/evidence.ts'
import {
  leafOf,
  neutralName,
  testKey,
  type ReportedTest,
  type TestReport,
} from '../../test-reports/report.ts'
import type { ReportHint } from '../../test-reports/test-report.ts'
import { compareTests, type ComparedTests, type LostTest, type WorkDone } from './lost-tests.ts'
import { blocking, couldRun, formatEnding, note, type Outcome } from '../verdicts.ts'
import { nameFilterArguments, type RunnerName } from '../../test-reports/runner.ts'

/** Results of the same tests on the tree the work started from. */
export interface BaseTests {
  /** Null if the runner names no tests or could not run there, which is not a failure. */
  readonly tests: readonly ReportedTest[] | null
  /** Tests that failed there, by name. */
  readonly failing: readonly string[]
  /** The tests of another run there, to tell names that change from run to run. */
  readonly again?: readonly ReportedTest[] | null
}

const MOST_NAMED = 3

export const NO_BASE: BaseTests = { tests: null, failing: [] }

export interface TestFacts {
  readonly command: string
  readonly ending: Ending
  readonly hint: ReportHint
  readonly report: TestReport | null
  /** Why an expected report is missing. */
  readonly noReport: string | null
  readonly base: BaseTests
  /** What the work changed, where its tests are compared with those of the base. */
  readonly done?: WorkDone | null
}

export interface TestJudgement {
  readonly outcome: Outcome
  readonly summary: string
  readonly findings: readonly Finding[]
  /** The tests that failed on the base too, by name. */
  readonly failedBefore?: readonly string[]
  /** Whether tests that passed on the base did not run. */
  readonly isMissing?: boolean
}

export function judgeTests(facts: TestFacts): TestJudgement {
  const { command, ending, hint, report } = facts
  if (!couldRun(ending)) return judgement('inconclusive', `${command} ${formatEnding(ending)}`)
  const isGreen = ending.kind === 'exited' && ending.code === 0
  if (hint.kind === 'exit') {
    return judgement(
      isGreen ? 'passed' : 'failed',
      `${command} ${formatEnding(ending)} (judged by the exit code alone)`,
    )
  }
  if (report === null) {
    const why = facts.noReport ?? 'its output names no tests; set environment.test.report'
    return isGreen
      ? judgement('inconclusive', `${command} exited with 0, but ${why}`)
      : judgement('failed', `${command} ${formatEnding(ending)}, and ${why}`)
  }
  return judgeReport(facts, report, isGreen)
}

function judgement(outcome: Outcome, summary: string, findings: readonly Finding[] = []): TestJudgement {
  return { outcome, summary, findings }
}

function judgeReport(facts: TestFacts, report: TestReport, isGreen: boolean): TestJudgement {
  const { counts } = report
  const { fresh, before } = failuresOf(facts, report)
  const { lost, removals, isUnknown } = comparedWithBase(facts, report)
  const findings = [
    ...fresh.map((name) => blocking(`fails: ${name}`)),
    ...lost.map(({ name, now }) => blocking(`passed on the base, now ${now}: ${name}`)),
    ...removals,
    ...report.doubts.map((doubt) => blocking(`the report is inconsistent: ${doubt}`)),
    ...before.map((name) => note(`failed before and still does: ${name}`)),
  ]
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  const sum = `${counts.passed} of ${counts.run} tests passed${skipped}${formatBefore(before)}`
  if (lost.length > 0) {
    const isMissing = lost.some(({ now }) => now === 'missing')
    return { ...judgement('failed', `${sum}; ${formatLost(lost)}`, findings), isMissing }
  }
  if (counts.failed > before.length) {
    return judgement('failed', `${sum}; ${formatFailures(fresh, counts.failed)}`, findings)
  }
  if (!isGreen && before.length === 0) {
    return judgement('failed', `${sum}, but ${facts.command} ${formatEnding(facts.ending)}`, findings)
  }
  if (counts.run === 0) return judgement('failed', 'no tests ran', [...findings, blocking('no tests ran')])
  // A run in which nothing passes proves nothing about the work.
  if (counts.passed === 0) return judgement('failed', sum, [...findings, blocking('no test passes')])
  if (report.doubts.length > 0)
    return judgement('inconclusive', `${sum}; the report is inconsistent`, findings)
  if (isUnknown) {
    const why = 'the base reported tests by name and this tree does not, so a missing test cannot be detected'
    return judgement('inconclusive', `${sum}; ${why}`, [...findings, blocking(why)])
  }
  return { ...judgement('passed', sum, findings), ...(before.length === 0 ? {} : { failedBefore: before }) }
}

/** What a summary says of tests that failed on the base too. */
export const formatBefore = ({ length }: readonly string[]): string =>
  length === 0 ? '' : `; ${length} failed before and still ${length === 1 ? 'does' : 'do'}`

function formatLost(lost: readonly LostTest[]): string {
  const names = lost.map(({ name, now }) => `${name} (${now})`)
  const many =
    lost.length === 1
      ? '1 test that passed on the base no longer passes'
      : `${lost.length} tests that passed on the base no longer pass`
  return `${many}: ${firstFew(names, MOST_NAMED)}`
}

const formatFailures = (fresh: readonly string[], failed: number): string =>
  fresh.length === 0 ? `${failed} fail` : `${fresh.length} fail: ${fresh.slice(0, MOST_NAMED).join(', ')}`

interface Failures {
  readonly fresh: readonly string[]
  readonly before: readonly string[]
}

/** Splits failures into new ones and those of the base, by name. Unnamed failures count as new. */
function failuresOf({ base }: TestFacts, report: TestReport): Failures {
  const byName = known(report.failures ?? [], base.failing, (name) => name)
  if (base.tests === null || report.tests === null) return byName
  // A name that changes from run to run is known by the rest of it, if the one of the base is gone.
  const there = new Set(report.tests.map(testKey))
  const gone = byName.left.filter((name) => !there.has(name))
  const { fresh, before } = known(byName.fresh, gone, neutralName)
  return { fresh, before: [...byName.before, ...before] }
}

/** Each failure of the base explains one. */
function known(
  names: readonly string[],
  failing: readonly string[],
  keyOf: (name: string) => string,
): Failures & { readonly left: readonly string[] } {
  const unexplaining = Map.groupBy(failing, keyOf)
  const { fresh = [], before = [] } = Object.groupBy(names, (name) =>
    unexplaining.get(keyOf(name))?.shift() === undefined ? 'fresh' : 'before',
  )
  const left = [...unexplaining.values()].flat()
  return { fresh, before, left }
}

/** `isUnknown`: the base named its tests and the work does not. */
function comparedWithBase(
  { base, done = null }: TestFacts,
  { tests }: TestReport,
): ComparedTests & { readonly isUnknown: boolean } {
  if (base.tests === null || tests === null) {
    return { lost: [], removals: [], isUnknown: (base.tests?.length ?? 0) > 0 }
  }
  return { ...compareTests(base.tests, tests, done, base.again), isUnknown: false }
}

/** The results of a run on the base, for comparison. */
export function baseTestsOf(facts: Pick<TestFacts, 'ending' | 'report'>): BaseTests {
  const { ending, report } = facts
  if (!couldRun(ending) || report === null) return NO_BASE
  return { tests: report.tests, failing: report.failures ?? [] }
}

const MOST_NAMES = 50

/** Arguments to run tests of these names, and perhaps others with similar names; null if there are none. */
export function rerunArguments(runner: RunnerName, names: readonly string[]): readonly string[] | null {
  const leaves = [...new Set(names.map((name) => filterName(runner, name)))]
  if (leaves.length === 0 || leaves.length > MOST_NAMES || leaves.includes('')) return null
  return nameFilterArguments(runner, leaves)
}

/** The test's own name, without the suites around it. */
function filterName(runner: RunnerName, name: string): string {
  const own = leafOf(name)
  if (runner !== 'pytest' && runner !== 'unittest') return own
  return /([A-Za-z_]\w*)(\[.*)?$/.exec(own.replace(/\[.*$/, ''))?.[1] ?? ''
}

/** Which of the names passed now. A name that changes from run to run is known by the rest of it. */
export function passedNow(names: readonly string[], report: TestReport | null): readonly string[] {
  const tests = report?.tests ?? []
  const exact = Map.groupBy(tests, testKey)
  const neutral = Map.groupBy(tests, (test) => neutralName(testKey(test)))
  return names.filter((name) => {
    const found = exact.get(name) ?? neutral.get(neutralName(name)) ?? []
    return found.length > 0 && found.every(({ outcome }) => outcome === 'passed')
  })
}

/**
 * Flaky tests fail and then pass on the same tree. They are neither passed nor failed, and reported by name. If all failures
 * are flaky, the result is inconclusive, not a pass.
 */
export function flakyJudgement(
  judged: TestJudgement,
  failed: readonly string[],
  flaky: readonly string[],
): TestJudgement {
  if (flaky.length === 0) return judged
  const isAll = failed.every((name) => flaky.includes(name))
  const outcome: Outcome = isAll ? 'inconclusive' : 'failed'
  const findings = flaky.map((name) => blocking(`flaky: failed, then passed when rerun: ${name}`))
  const summary = `${judged.summary}; flaky: ${flaky.slice(0, 3).join(', ')}`
  return { outcome, summary, findings: [...findings, ...judged.findings] }
}
