import type { DiagnoseLayer } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

export const diagnoseLayer: Performer<DiagnoseLayer> = async (effect, { world, signal }) => {
  const diagnoses = await world.integration.diagnose(effect, signal)
  const { layer, round } = effect
  return [{ type: 'integration.diagnosed', v: 1, layer, round, diagnoses: [...diagnoses] }]
}
