import type { CollectWork } from '../../core/effects.ts'
import type { Performer } from './performer.ts'

export const collectWork: Performer<CollectWork> = async (effect, { world }) => {
  const { tree, changed, salvage, patch, refused, scan } = await world.workspace.collect(effect)
  const { worker, task, attempt } = effect
  const named = patch === undefined ? {} : { patch }
  const work = { tree, changed: [...changed], salvage, ...named }
  const judged = refused === undefined ? {} : { refused }
  const read =
    scan === undefined ? {} : { scan: { touches: [...scan.touches], findings: [...scan.findings] } }
  return [{ type: 'work.collected', v: 1, worker, task, attempt, ...work, ...judged, ...read }]
}
