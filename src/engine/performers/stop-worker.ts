import type { StopWorker } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

/** Saves first, then stops. Its end is told by the agent: it may just have come to another one. */
export const stopWorker: Performer<StopWorker> = async (effect, { world }) => {
  if (effect.role !== 'reviewer') await world.workspace.save(effect)
  await world.agent.stop(effect.worker, effect.cause)
  return []
}
