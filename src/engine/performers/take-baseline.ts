import type { TakeBaseline } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

export const takeBaseline: Performer<TakeBaseline> = async (effect, { world, signal }) => {
  const seen = await world.workspace.takeBaseline(effect, signal)
  return [{ type: 'plan.baselined', v: 2, ...seen, failing: [...seen.failing], audits: [...seen.audits] }]
}
