import type { Replan } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

export const replan: Performer<Replan> = async (effect, { world, signal }) => {
  const { recommend, note, by, parts = [] } = await world.brain.replan(effect, signal)
  return [
    {
      type: 'task.replanned',
      v: 1,
      task: effect.spec.id,
      recommend,
      note,
      by,
      ...(parts.length === 0 ? {} : { parts: [...parts] }),
    },
  ]
}
