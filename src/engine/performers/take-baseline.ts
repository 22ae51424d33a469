import type { TakeBaseline } from '../../core/effects.ts'
import type { Performer } from './performer.ts'

export const takeBaseline: Performer<TakeBaseline> = async (effect, { world, signal }) => {
  const { sha, contextBlock, failing, existing } = await world.workspace.takeBaseline(effect, signal)
  return [{ type: 'plan.baselined', v: 1, sha, contextBlock, failing: [...failing], existing: [...existing] }]
}
