/** Runs held-out checks, each as its own process, in a fresh checkout. */
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import { heldOutVerdict } from '../../core/gates/held-out.ts'
import { verdict } from '../../core/gates/verdicts.ts'
import type { SiteRuns } from '../runner/site-runs.ts'

export interface HeldOutRequest {
  readonly commands: readonly string[]
  /** Opens a fresh checkout of the work, free of files that tests left. */
  readonly open: () => Promise<SiteRuns>
}

export async function runHeldOut({ commands, open }: HeldOutRequest): Promise<Verdict> {
  if (commands.length === 0) return verdict('held_out', 'not_applicable', 'the plan has no held-out checks')
  await using runs = await open()
  const broken = await runs.setupFailure('held_out')
  if (broken !== null) return broken
  const done: RunEvidence[] = []
  for (const command of commands) done.push((await runs.site.run(command)).evidence)
  return heldOutVerdict(done)
}
