/** A person revokes what they, or another, decided about equal permissions: the next equal one is asked again. */
import { planLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { by, text } from '../../event-schemas/schemas.ts'

const shape = eventShape('permission.revoked', 1, () => ({
  /** The inbox item whose answer was remembered. */
  item: text,
  by,
}))

export const permissionRevoked: EventDefinition<typeof shape> = {
  shape,
  rejectionReason: ({ permissions }, { item }) =>
    permissions.some((one) => one.item === item) ? null : `no remembered permission ${item}`,
  apply(state, { item }) {
    state.permissions = state.permissions.filter((one) => one.item !== item)
  },
  activity: ({ item, by }) => [planLine('permission_revoked', { id: item, by })],
  timeline: ({ item, by }) => ({ task: null, text: `${by} revoked the permission ${item}` }),
}
