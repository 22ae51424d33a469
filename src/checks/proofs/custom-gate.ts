/** Runs a custom gate of the plan in the clean checkout and judges its exit code or its values. */
import type { GateName, Verdict } from '../../core/event-schemas/schemas.ts'
import { judgeValues } from '../../core/gates/tests/reference-values.ts'
import { judgeReported } from '../../core/gates/sarif.ts'
import { verdict } from '../../core/gates/verdicts.ts'
import type { CustomGate } from '../../core/planning/plan.ts'
import type { SiteRuns } from '../runner/site-runs.ts'

export async function runCustomGate(gate: GateName, custom: CustomGate, runs: SiteRuns): Promise<Verdict> {
  const broken = await runs.setupFailure(gate)
  if (broken !== null) return broken
  const { evidence, stdout } = await runs.plain(custom.command)
  switch (custom.kind) {
    case 'command': {
      const { outcome, summary, findings } = judgeReported(evidence, stdout, runs.site.folders)
      return verdict(gate, outcome, summary, { runs: [evidence], findings: [...findings] })
    }
    case 'numeric': {
      const { outcome, summary, findings } = judgeValues(evidence, stdout, custom.reference)
      return verdict(gate, outcome, summary, { runs: [evidence], findings: [...findings] })
    }
  }
}
