import type { PresentItem } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

export const presentItem: Performer<PresentItem> = async (effect, { world }) => {
  await world.human.present(effect)
  return [{ type: 'inbox.presented', v: 1, id: effect.item.id }]
}
