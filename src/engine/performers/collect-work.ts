import type { CollectWork } from '../../core/effects.ts'
import type { Performer } from './performer.ts'

export const collectWork: Performer<CollectWork> = async (effect, { world }) => {
  const { tree, changed, salvage } = await world.workspace.collect(effect)
  const { worker, task, attempt } = effect
  return [{ type: 'work.collected', v: 1, worker, task, attempt, tree, changed: [...changed], salvage }]
}
