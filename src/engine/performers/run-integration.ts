import type { RunIntegration } from '../../core/effects.ts'
import type { Performer } from './performer.ts'

export const runIntegration: Performer<RunIntegration> = async (effect, { world, signal }) => {
  const results = await world.integration.run(effect, signal)
  return [{ type: 'integration.ran', v: 1, layer: effect.layer, round: effect.round, results }]
}
