import type { StopWorker } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

/** Saves the work, then stops the worker. The agent reports the end, since the worker may just have finished. */
export const stopWorker: Performer<StopWorker> = async (effect, { world }) => {
  if (effect.role !== 'reviewer') await world.workspace.save(effect)
  await world.agent.stop(effect.worker, effect.cause)
  return []
}
