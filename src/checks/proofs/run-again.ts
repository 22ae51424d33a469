/** Reruns only the failed tests, to tell failing from flaky ones. */
import { rerunArguments, flakyJudgement, passedNow } from '../../core/gates/tests/flaky.ts'
import type { TestJudgement } from '../../core/gates/tests/judge-tests.ts'
import { runnerOf } from '../../core/test-reports/runner.ts'
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { GateSite } from '../runner/gate-site.ts'
import { runTests, type TestRun } from '../runner/test-run.ts'

export interface AgainRequest {
  readonly site: GateSite
  readonly command: Command
  readonly hint: ReportHint
  readonly run: TestRun
  readonly judged: TestJudgement
  /** Tests that failed at the start commit. */
  readonly known: readonly string[]
  readonly times: number
}

export async function runFailedAgain(
  request: AgainRequest,
): Promise<{ readonly judged: TestJudgement; readonly runs: readonly RunEvidence[] }> {
  const { site, command, hint, run, judged, known } = request
  const before = new Set(known)
  const failed = (run.facts.report?.failures ?? []).filter((name) => !before.has(name))
  const runner = runnerOf({ test: command, ...site.script(command) })
  const extra = runner === null ? null : rerunArguments(runner.name, failed)
  if (judged.outcome !== 'failed' || runner === null || extra === null) return { judged, runs: [] }
  const flaky = new Set<string>()
  const runs: RunEvidence[] = []
  for (let time = 0; time < request.times && flaky.size < failed.length; time++) {
    const again = await runTests(site, runner.adding(extra), hint)
    runs.push(again.ran.evidence)
    for (const name of passedNow(failed, again.facts.report)) flaky.add(name)
  }
  return { judged: flakyJudgement(judged, failed, [...flaky]), runs }
}
