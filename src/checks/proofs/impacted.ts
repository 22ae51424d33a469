/** Checks that every suite that imports a changed file ran, with the full suite or by name. */
import type { RunGates } from '../../core/decide/effects.ts'
import type { Finding, RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { Change } from '../../core/gates/change.ts'
import { NO_BASE, type TestJudgement } from '../../core/gates/tests/judge-tests.ts'
import { note } from '../../core/gates/verdicts.ts'
import { quotedList } from '../../lib/text/quoted.ts'
import { impactedSuites, notReported } from '../../core/review/impacted-suites.ts'
import { focused, focusedRunner } from '../runner/focused.ts'
import type { SiteRuns } from '../runner/site-runs.ts'
import type { TestRun } from '../runner/test-run.ts'

export interface JudgedRun {
  readonly run: TestRun
  readonly judged: TestJudgement
  /** Further runs that support the judgement. */
  readonly more?: readonly RunEvidence[]
}

export interface ImpactRequest {
  readonly request: Pick<RunGates, 'spec' | 'tier' | 'baselineFailing'>
  readonly change: Change
  readonly runs: SiteRuns
}

export interface ImpactedRuns {
  readonly findings: readonly Finding[]
  /** Runs of suites that the full suite left out. */
  readonly runs: readonly JudgedRun[]
}

const MOST_NAMED = 10

export async function runImpacted(context: ImpactRequest): Promise<ImpactedRuns> {
  const { change, runs, request } = context
  const { files } = runs.site
  const tree = { files: files.listing().files, read: (path: string) => files.text(path) }
  const impact = impactedSuites(
    change.files.map(({ path }) => path),
    tree,
  )
  const { test } = runs.commands
  const onlyNote = (text: string): ImpactedRuns => ({ findings: [note(text)], runs: [] })
  const suite = test === null ? null : await runs.suite()
  if (impact.kind === 'all') {
    const how = suite === null ? 'no test command to run them' : 'the full suite ran'
    return onlyNote(`impacted suites: all (${impact.why}); ${how}`)
  }
  const { suites } = impact
  if (suites.length === 0) return onlyNote('impacted suites: none imports a changed file')
  const named = quotedList(suites.slice(0, MOST_NAMED), Math.max(0, suites.length - MOST_NAMED))
  if (test === null || suite === null)
    return onlyNote(`impacted suites: ${named}; no test command to run them`)
  const missing = notReported(suites, suite.facts.report?.tests ?? null)
  if (missing === null || missing.length === 0) {
    const how = missing === null ? 'the full suite ran' : 'all ran, by name'
    return onlyNote(`impacted suites: ${named}; ${how}`)
  }
  const left = quotedList(missing.slice(0, MOST_NAMED), Math.max(0, missing.length - MOST_NAMED))
  const { command, hint } = test
  const whole = focused(runs.site, command, missing)
  if (whole === null || request.tier === 'low')
    return onlyNote(`impacted suites: ${named}; the full suite does not report ${left}`)
  const base = { ...NO_BASE, failing: request.baselineFailing }
  const short = focusedRunner(runs.site, command, missing)
  const first = await runs.tests(short ?? whole, hint)
  const isEnough = short === null || runs.judge(first, base).outcome === 'passed'
  const run = isEnough ? first : await runs.tests(whole, hint)
  // A benchmark, say: it imports a changed file and lies beside the tests, and the runner finds no test in it.
  if (run.facts.report?.counts.run === 0)
    return onlyNote(`impacted suites: ${named}; the runner finds no test in ${left}`)
  const judged = runs.judge(run, base)
  const text = `impacted suites: ${named}; the full suite left out ${left}, which ran by name`
  return { findings: [note(text)], runs: [{ run, judged }] }
}
