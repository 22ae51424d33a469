/**
 * Whether a test run proves anything. Zero tests run is not a pass, a green line beside a red exit code is not a pass,
 * and every test that passed on the base has to be reported passed again: skipping, removing or renaming one fails.
 */
import type { Ending, Finding } from '../../event-schemas/evidence.ts'
import { testKey, type ReportedTest, type TestOutcome, type TestReport } from '../../test-reports/report.ts'
import type { ReportHint } from '../../test-reports/test-report.ts'
import { blocking, couldRun, endingWords, note, type Outcome } from '../verdicts.ts'

/** What is known of the same tests on the tree the work started from. */
export interface BaseTests {
  /** Null: the runner names no tests, or it could not run there; "could not run" is not "failed before". */
  readonly tests: readonly ReportedTest[] | null
  /** Tests that failed there, by name. */
  readonly failing: readonly string[]
}

export const NO_BASE: BaseTests = { tests: null, failing: [] }

export interface TestFacts {
  readonly command: string
  readonly ending: Ending
  readonly hint: ReportHint
  readonly report: TestReport | null
  /** Why there is no report although there should be one. */
  readonly noReport: string | null
  readonly base: BaseTests
  /** `false` waves through tests that failed before too, by name; nothing else. */
  readonly requireTestsPass: boolean
}

export interface TestJudgement {
  readonly outcome: Outcome
  readonly words: string
  readonly findings: readonly Finding[]
}

export function judgeTests(facts: TestFacts): TestJudgement {
  const { command, ending, hint, report } = facts
  if (!couldRun(ending)) return judgement('inconclusive', `${command} ${endingWords(ending)}`)
  const isGreen = ending.kind === 'exited' && ending.code === 0
  if (hint.kind === 'exit') {
    return judgement(
      isGreen ? 'passed' : 'failed',
      `${command} ${endingWords(ending)} (the exit code alone counts)`,
    )
  }
  if (report === null) {
    const why = facts.noReport ?? 'its output names no tests; say how to read it with environment.test.report'
    return isGreen
      ? judgement('inconclusive', `${command} exited with 0, but ${why}`)
      : judgement('failed', `${command} ${endingWords(ending)}, and ${why}`)
  }
  return judgeReport(facts, report, isGreen)
}

function judgement(outcome: Outcome, words: string, findings: readonly Finding[] = []): TestJudgement {
  return { outcome, words, findings }
}

function judgeReport(facts: TestFacts, report: TestReport, isGreen: boolean): TestJudgement {
  const { counts } = report
  const { fresh, before } = failuresOf(facts, report)
  const lost = lostTests(facts.base, report)
  const findings = [
    ...fresh.map((name) => blocking(`fails: ${name}`)),
    ...before.map((name) => (facts.requireTestsPass ? blocking : note)(`fails, and failed before: ${name}`)),
    ...lost.tests.map(({ name, now }) => blocking(`passed on the base and is ${now}: ${name}`)),
    ...report.doubts.map((doubt) => blocking(`the report is doubtful: ${doubt}`)),
  ]
  const sum = `${counts.passed} of ${counts.run} tests passed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`
  if (lost.tests.length > 0) {
    return judgement('failed', `${sum}; ${lost.tests.length} of the base no longer pass`, findings)
  }
  if (counts.failed > 0) {
    const isWaved = !facts.requireTestsPass && fresh.length === 0 && before.length === counts.failed
    if (!isWaved) return judgement('failed', `${sum}; ${toldApart(fresh, before, counts.failed)}`, findings)
    return judgement(
      counts.passed > 0 ? 'passed' : 'failed',
      `${sum}; all ${before.length} that fail failed before`,
      findings,
    )
  }
  if (!isGreen) {
    return judgement('failed', `${sum}, but ${facts.command} ${endingWords(facts.ending)}`, findings)
  }
  if (counts.run === 0) return judgement('failed', 'no tests ran', [...findings, blocking('no tests ran')])
  if (report.doubts.length > 0) return judgement('inconclusive', `${sum}; the report is doubtful`, findings)
  if (lost.isUnknown) {
    const why = 'the base named its tests and this tree does not, so nobody can tell whether one is missing'
    return judgement('inconclusive', `${sum}; ${why}`, [...findings, blocking(why)])
  }
  return judgement('passed', sum, findings)
}

function toldApart(fresh: readonly string[], before: readonly string[], failed: number): string {
  if (fresh.length === 0 && before.length === 0) return `${failed} fail`
  const parts = [
    ...(fresh.length > 0 ? [`${fresh.length} fail: ${fresh.slice(0, 3).join(', ')}`] : []),
    ...(before.length > 0 ? [`${before.length} failed before too`] : []),
  ]
  return parts.join('; ')
}

/** New failures and those the base had, by name. Unnamed failures count as new. */
function failuresOf(
  facts: TestFacts,
  report: TestReport,
): { readonly fresh: readonly string[]; readonly before: readonly string[] } {
  const known = new Set(facts.base.failing)
  const names = report.failures ?? []
  return { fresh: names.filter((name) => !known.has(name)), before: names.filter((name) => known.has(name)) }
}

interface LostTests {
  readonly tests: readonly { readonly name: string; readonly now: TestOutcome | 'missing' }[]
  readonly isUnknown: boolean
}

/** One name may stand for several tests: each of them has to pass. */
function lostTests(base: BaseTests, report: TestReport): LostTests {
  if (base.tests === null) return { tests: [], isUnknown: false }
  const had = byName(base.tests)
  if (report.tests === null) return { tests: [], isUnknown: had.size > 0 }
  const has = byName(report.tests)
  const lost: { readonly name: string; readonly now: TestOutcome | 'missing' }[] = []
  for (const [name, before] of had) {
    const wanted = before.get('passed') ?? 0
    const now = has.get(name)
    if (wanted === 0 || (now?.get('passed') ?? 0) >= wanted) continue
    lost.push({ name, now: notPassed(now) })
  }
  return { tests: lost, isUnknown: false }
}

type Tally = ReadonlyMap<TestOutcome, number>

function notPassed(now: Tally | undefined): TestOutcome | 'missing' {
  return (['failed', 'skipped', 'todo'] as const).find((outcome) => (now?.get(outcome) ?? 0) > 0) ?? 'missing'
}

function byName(tests: readonly ReportedTest[]): ReadonlyMap<string, Tally> {
  const names = new Map<string, Map<TestOutcome, number>>()
  for (const test of tests) {
    const name = testKey(test)
    const tally = names.get(name) ?? new Map<TestOutcome, number>()
    tally.set(test.outcome, (tally.get(test.outcome) ?? 0) + 1)
    names.set(name, tally)
  }
  return names
}

/** What a run on the base says about later runs. Tests that did not run there say nothing. */
export function baseTestsOf(facts: Pick<TestFacts, 'ending' | 'report'>): BaseTests {
  const { ending, report } = facts
  if (!couldRun(ending) || report === null) return NO_BASE
  return { tests: report.tests, failing: report.failures ?? [] }
}
