import type { RunGates } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

export const runGates: Performer<RunGates> = async (effect, { world, signal }) => {
  const verdicts = [...(await world.gates.run(effect, signal))]
  const { spec, attempt, tree, scope } = effect
  return [{ type: 'task.gated', v: 2, task: spec.id, attempt, tree, scope, verdicts }]
}
