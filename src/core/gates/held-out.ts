/** What is told of checks that the worker never sees: that one failed, and neither its command nor what it said. */
import type { RunEvidence } from '../event-schemas/evidence.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { blocking, judgeRun, verdict, worst } from './verdicts.ts'

/** The runs in the order of the plan. The whole output stays in the evidence store, for people. */
export function heldOutVerdict(runs: readonly RunEvidence[]): Verdict {
  const hidden = runs.map((run, place): RunEvidence => ({
    ...run,
    command: `held-out check ${place + 1}`,
    keyLines: [],
  }))
  const judged = hidden.map((run) => ({ ...judgeRun(run), at: run.command }))
  const outcome = worst(judged.map((one) => one.outcome))
  const bad = judged.filter((one) => one.outcome !== 'passed')
  const words =
    bad.length === 0
      ? `${judged.length} of ${judged.length} held-out checks passed`
      : `${bad.length} of ${judged.length} held-out checks did not pass`
  const findings = bad.map(({ at }) =>
    blocking(`${at} did not pass: the work does not do what its acceptance criteria say in every case`),
  )
  return verdict('held_out', outcome, words, { runs: hidden, findings })
}
