/** Whether every suite that imports what changed was run: with the whole suite, or by its name. */
import type { RunGates } from '../../core/decide/effects.ts'
import type { Finding, RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { Change } from '../../core/gates/change.ts'
import { focusCommand } from '../../core/test-reports/focus-command.ts'
import { NO_BASE, type TestJudgement } from '../../core/gates/tests/judge-tests.ts'
import { note } from '../../core/gates/verdicts.ts'
import { quotedList } from '../../lib/text/quoted.ts'
import { impactedSuites, notReported } from '../../core/review/impacted-suites.ts'
import type { SiteRuns } from '../runner/site-runs.ts'
import { testCommandOf, type TestRun } from '../runner/test-run.ts'

export interface JudgedRun {
  readonly run: TestRun
  readonly judged: TestJudgement
  /** What else was run to know that it holds. */
  readonly more?: readonly RunEvidence[]
}

export interface ImpactRequest {
  readonly request: Pick<RunGates, 'spec' | 'tier' | 'baselineFailing'>
  readonly change: Change
  readonly runs: SiteRuns
  readonly requireTestsPass: boolean
}

export interface ImpactedRuns {
  readonly findings: readonly Finding[]
  /** Of suites that the whole suite left out. */
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
  const told = (text: string): ImpactedRuns => ({ findings: [note(text)], runs: [] })
  const suite = test === null ? null : await runs.suite()
  if (impact.kind === 'all') {
    const how = suite === null ? 'there is no test command to run them' : 'the whole suite was run'
    return told(`impacted suites: all, since ${impact.why}; ${how}`)
  }
  const { suites } = impact
  if (suites.length === 0) return told('impacted suites: none imports what changed')
  const named = quotedList(suites.slice(0, MOST_NAMED), Math.max(0, suites.length - MOST_NAMED))
  if (test === null || suite === null)
    return told(`impacted suites: ${named}; there is no test command to run them`)
  const missing = notReported(suites, suite.facts.report?.tests ?? null)
  if (missing === null || missing.length === 0) {
    const how = missing === null ? 'part of the whole suite, which was run' : 'all run, by name'
    return told(`impacted suites: ${named}; ${how}`)
  }
  const left = quotedList(missing.slice(0, MOST_NAMED), Math.max(0, missing.length - MOST_NAMED))
  const { command, hint } = testCommandOf(test)
  const focused = focusCommand({ test: command, paths: missing, script: runs.site.testScript() })
  if (focused === null || request.tier === 'low')
    return told(`impacted suites: ${named}; the whole suite does not report ${left}`)
  const run = await runs.tests(focused, hint)
  const base = { ...NO_BASE, failing: request.baselineFailing }
  const judged = runs.judge(run, base, context.requireTestsPass)
  const text = `impacted suites: ${named}; the whole suite left out ${left}, so they were run by name`
  return { findings: [note(text)], runs: [{ run, judged }] }
}
