/**
 * Judges a test run. A run without tests does not pass, nor does one with a failing exit code, and every test that passed on
 * the base must pass again (see `compareTests`).
 */
import { firstFew } from '../../../lib/text/counted.ts'
import type { Ending, Finding } from '../../event-schemas/evidence.ts'
import type { ReportedTest, TestReport } from '../../test-reports/report.ts'
import type { ReportHint } from '../../test-reports/test-report.ts'
import { compareTests, type ComparedTests, type LostTest, type WorkDone } from './lost-tests.ts'
import { blocking, couldRun, formatEnding, note, type Outcome } from '../verdicts.ts'

/** Results of the same tests on the tree the work started from. */
export interface BaseTests {
  /** Null if the runner names no tests or could not run there, which is not a failure. */
  readonly tests: readonly ReportedTest[] | null
  /** Tests that failed there, by name. */
  readonly failing: readonly string[]
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
  /** `false` tolerates tests that failed on the base too, by name. */
  readonly requireTestsPass: boolean
  /** What the work changed, where its tests are compared with those of the base. */
  readonly done?: WorkDone | null
}

export interface TestJudgement {
  readonly outcome: Outcome
  readonly summary: string
  readonly findings: readonly Finding[]
}

export function judgeTests(facts: TestFacts): TestJudgement {
  const { command, ending, hint, report } = facts
  if (!couldRun(ending)) return judgement('inconclusive', `${command} ${formatEnding(ending)}`)
  const isGreen = ending.kind === 'exited' && ending.code === 0
  if (hint.kind === 'exit') {
    return judgement(
      isGreen ? 'passed' : 'failed',
      `${command} ${formatEnding(ending)} (judged by exit code only)`,
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
    ...before.map((name) =>
      (facts.requireTestsPass ? blocking : note)(`still fails, as on the base: ${name}`),
    ),
    ...lost.map(({ name, now }) => blocking(`passed on the base, now ${now}: ${name}`)),
    ...removals,
    ...report.doubts.map((doubt) => blocking(`the report is inconsistent: ${doubt}`)),
  ]
  const sum = `${counts.passed} of ${counts.run} tests passed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`
  if (lost.length > 0) return judgement('failed', `${sum}; ${formatLost(lost)}`, findings)
  if (counts.failed > 0) {
    const isWaved = !facts.requireTestsPass && fresh.length === 0 && before.length === counts.failed
    if (!isWaved)
      return judgement('failed', `${sum}; ${formatFailures(fresh, before, counts.failed)}`, findings)
    return judgement(
      counts.passed > 0 ? 'passed' : 'failed',
      `${sum}; every failure (${before.length}) is known from the base`,
      findings,
    )
  }
  if (!isGreen) {
    return judgement('failed', `${sum}, but ${facts.command} ${formatEnding(facts.ending)}`, findings)
  }
  if (counts.run === 0) return judgement('failed', 'no tests ran', [...findings, blocking('no tests ran')])
  if (report.doubts.length > 0)
    return judgement('inconclusive', `${sum}; the report is inconsistent`, findings)
  if (isUnknown) {
    const why = 'the base reported tests by name and this tree does not, so a missing test cannot be detected'
    return judgement('inconclusive', `${sum}; ${why}`, [...findings, blocking(why)])
  }
  return judgement('passed', sum, findings)
}

function formatLost(lost: readonly LostTest[]): string {
  const named = firstFew(
    lost.map(({ name, now }) => `${name} (${now})`),
    MOST_NAMED,
  )
  return lost.length === 1
    ? `1 test that passed on the base no longer passes: ${named}`
    : `${lost.length} tests that passed on the base no longer pass: ${named}`
}

function formatFailures(fresh: readonly string[], before: readonly string[], failed: number): string {
  if (fresh.length === 0 && before.length === 0) return `${failed} fail`
  const parts = [
    ...(fresh.length > 0 ? [`${fresh.length} fail: ${fresh.slice(0, 3).join(', ')}`] : []),
    ...(before.length > 0 ? [`${before.length} failed on the base too`] : []),
  ]
  return parts.join('; ')
}

/** Splits failures into new ones and those of the base, by name. Unnamed failures count as new. */
function failuresOf(
  facts: TestFacts,
  report: TestReport,
): { readonly fresh: readonly string[]; readonly before: readonly string[] } {
  const known = new Set(facts.base.failing)
  const names = report.failures ?? []
  return { fresh: names.filter((name) => !known.has(name)), before: names.filter((name) => known.has(name)) }
}

/** `isUnknown`: the base named its tests and the work does not. */
function comparedWithBase(
  { base, done = null }: TestFacts,
  { tests }: TestReport,
): ComparedTests & { readonly isUnknown: boolean } {
  if (base.tests === null || tests === null) {
    return { lost: [], removals: [], isUnknown: (base.tests?.length ?? 0) > 0 }
  }
  return { ...compareTests(base.tests, tests, done), isUnknown: false }
}

/** The results of a run on the base, for comparison. */
export function baseTestsOf(facts: Pick<TestFacts, 'ending' | 'report'>): BaseTests {
  const { ending, report } = facts
  if (!couldRun(ending) || report === null) return NO_BASE
  return { tests: report.tests, failing: report.failures ?? [] }
}
