import type { PrepareRelease } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

export const prepareRelease: Performer<PrepareRelease> = async (effect, { world }) => {
  const { sha, manifest } = await world.workspace.prepareRelease(effect)
  return [{ type: 'release.prepared', v: 1, sha, manifest }]
}
