import type { RunIntegration } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

export const runIntegration: Performer<RunIntegration> = async (effect, { world, signal }) => {
  const { tree, results } = await world.integration.run(effect, signal)
  const { layer, round } = effect
  return [{ type: 'integration.ran', v: 2, layer, round, tree, results: [...results] }]
}
