/** Checks that the worker never sees: in a checkout of their own, after nothing else, each a process by itself. */
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import { heldOutVerdict } from '../../core/gates/held-out.ts'
import { verdict } from '../../core/gates/verdicts.ts'
import type { SiteRuns } from '../runner/site-runs.ts'

export interface HeldOutRequest {
  readonly commands: readonly string[]
  /** A fresh checkout of the work: what tests left in theirs decides nothing here. */
  readonly open: () => Promise<SiteRuns>
}

export async function runHeldOut({ commands, open }: HeldOutRequest): Promise<Verdict> {
  if (commands.length === 0) return verdict('held_out', 'not_applicable', 'the plan holds nothing out')
  const runs = await open()
  try {
    const broken = await runs.notReady('held_out')
    if (broken !== null) return broken
    const done: RunEvidence[] = []
    for (const command of commands) done.push((await runs.site.run(command)).evidence)
    return heldOutVerdict(done)
  } finally {
    await runs.site.close()
  }
}
