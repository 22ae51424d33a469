/** The verdict on held-out checks. It hides their commands and output, because workers see verdicts. */
import type { RunEvidence } from '../event-schemas/evidence.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { blocking, judgeRun, verdict, worst } from './verdicts.ts'

/** `runs` in plan order. The full output stays in the evidence store, for people. */
export function heldOutVerdict(runs: readonly RunEvidence[]): Verdict {
  const hidden = runs.map((run, place): RunEvidence => ({
    ...run,
    command: `held-out check ${place + 1}`,
    keyLines: [],
  }))
  const judged = hidden.map((run) => ({ ...judgeRun(run), at: run.command }))
  const outcome = worst(judged.map((one) => one.outcome))
  const bad = judged.filter((one) => one.outcome !== 'passed')
  const summary =
    bad.length === 0
      ? `${judged.length} of ${judged.length} held-out checks passed`
      : `${bad.length} of ${judged.length} held-out checks did not pass`
  const findings = bad.map(({ at }) =>
    blocking(`${at} did not pass: the work does not meet its acceptance criteria in every case`),
  )
  return verdict('held_out', outcome, summary, { runs: hidden, findings })
}
