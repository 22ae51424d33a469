import type { CollectWork } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

export const collectWork: Performer<CollectWork> = async (effect, { world }) => {
  const collected = await world.workspace.collect(effect)
  const { tree, onto, changed, salvage, patch, refused, scan } = collected
  const { worker, task, attempt, ahead, landings } = effect
  const named = patch === undefined ? {} : { patch }
  const work = { tree, changed: [...changed], salvage, ...named }
  const conflicts = collected.conflicts === true ? { conflicts: true as const } : {}
  const judged = refused === undefined ? {} : { refused, ...conflicts }
  const read =
    scan === undefined ? {} : { scan: { touches: [...scan.touches], findings: [...scan.findings] } }
  const stand = { onto, ahead: [...ahead], landings }
  return [{ type: 'work.collected', v: 1, worker, task, attempt, ...work, ...judged, ...read, ...stand }]
}
