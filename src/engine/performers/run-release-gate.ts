import type { RunReleaseGate } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

export const runReleaseGate: Performer<RunReleaseGate> = async (effect, { world, signal }) => {
  const { tree, verdicts } = await world.gates.runRelease(effect, signal)
  return [{ type: 'release.gated', v: 2, round: effect.round, tree, verdicts: [...verdicts] }]
}
