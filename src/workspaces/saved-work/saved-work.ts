import { dirname } from 'node:path'
import { Refusal } from '../../lib/refusal.ts'
import type { Quarantine } from '../quarantine.ts'

/** Refuses a plan that began elsewhere: begun once more from today's HEAD, it would be released without what has landed. */
export async function requireKeptWork(quarantine: Quarantine, plan: string): Promise<void> {
  if ((await quarantine.refValue(`refs/plans/${plan}/base`)) !== null) return
  const folder = dirname(quarantine.place.gitDir)
  throw new Refusal({
    code: 'conflict',
    message: `its earlier work is not in ${folder}; copy that folder from the state root where the plan started`,
    remedy: 'Stop the daemons of both state roots before copying.',
  })
}
