/** The first look at a repository: which tests fail before anybody works, what else can be run, what is built already. */
import type { Verdict } from '../core/events/parts.ts'
import { auditTask, type AuditVerdict } from '../core/gates/audit.ts'
import { focusCommand } from '../core/gates/focus-command.ts'
import { NO_BASE } from '../core/gates/judge-tests.ts'
import { isPattern } from '../core/planning/paths.ts'
import type { TaskSpec } from '../core/planning/plan.ts'
import type { SiteRuns } from './site-runs.ts'
import { testCommandOf, type SuiteResult } from './test-run.ts'

export interface BaselineRequest {
  readonly tree: string
  readonly tasks: readonly TaskSpec[]
}

export interface TestBaseline {
  /** By name; empty also where the tests could not run, which is not the same as failing. */
  readonly failing: readonly string[]
  /** Lint, types and build, as they are before anybody works. */
  readonly verdicts: readonly Verdict[]
  readonly audits: readonly (AuditVerdict & { readonly task: string })[]
  readonly warnings: readonly string[]
}

export async function takeTestBaseline(facts: {
  readonly request: BaselineRequest
  readonly runs: SiteRuns
  readonly suite: SuiteResult | null
  readonly warnings: readonly string[]
}): Promise<TestBaseline> {
  const { request, runs, suite } = facts
  const verdicts = [
    await runs.plainGate('lint', ['lint']),
    await runs.plainGate('typecheck', ['typecheck']),
    await runs.plainGate('build', ['build']),
  ]
  const audits: (AuditVerdict & { readonly task: string })[] = []
  for (const spec of request.tasks) audits.push({ task: spec.id, ...(await audit(spec, runs, suite)) })
  const couldNot =
    suite !== null && suite.base.tests === null && suite.base.failing.length === 0 && !suite.isGreen
  const warnings = couldNot
    ? [...facts.warnings, 'the tests could not be run at the start commit']
    : facts.warnings
  return { failing: suite?.base.failing ?? [], verdicts, audits, warnings }
}

/** Tests are run only where everything else speaks for a task being there already. */
async function audit(spec: TaskSpec, runs: SiteRuns, suite: SuiteResult | null): Promise<AuditVerdict> {
  const { files } = runs.site
  const isInTree = (path: string): boolean => files.has(path)
  const passed = new Map<string, boolean>()
  const optimistic = auditTask({ spec, isInTree, passes: () => true })
  if (optimistic.status !== 'EXISTS') return auditTask({ spec, isInTree, passes: () => null })
  for (const path of spec.testsToAdd) {
    const isGreen = isPattern(path) ? null : await passes(path, runs, suite)
    if (isGreen !== null) passed.set(path, isGreen)
  }
  return auditTask({ spec, isInTree, passes: (path) => passed.get(path) ?? null })
}

/** Where a file cannot be run alone, a green suite speaks for it, and a red one says nothing. */
async function passes(path: string, runs: SiteRuns, suite: SuiteResult | null): Promise<boolean | null> {
  if (runs.commands.test === null || (await runs.setUp()) !== null) return null
  const { command, hint } = testCommandOf(runs.commands.test)
  const focused = focusCommand({ test: command, paths: [path], script: runs.site.testScript() })
  if (focused === null) return suite?.isGreen === true ? true : null
  const { outcome } = runs.judge(await runs.tests(focused, hint), NO_BASE, true)
  return outcome === 'inconclusive' ? null : outcome === 'passed'
}
