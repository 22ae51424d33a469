/** Permissions that are equal: asked as one, and answered by what a person decided before. */
import {
  PERMISSION_SCOPES,
  type PermissionScope,
  type RememberedPermission,
  type RequestAnswer,
} from '../../event-schemas/requests.ts'
import type { InboxItem } from '../../event-schemas/schemas.ts'
import type { AskedRequest, OpenItem, PlanState } from '../../state/state.ts'

/** The permission that an item asks for; null where it asks for none, or its worker has ended. */
export function permissionAskedIn(
  state: PlanState,
  { kind, about, task }: Pick<InboxItem, 'kind' | 'about' | 'task'>,
): AskedRequest | null {
  if (kind !== 'permission') return null
  const requests = state.tasks.get(task ?? '')?.live?.watch.requests ?? []
  return requests.find(({ id }) => id === about) ?? null
}

/** All open items that one answer to this one answers, itself too, the oldest first. */
export function equalItems(state: PlanState, open: OpenItem): readonly OpenItem[] {
  const equalBy = permissionAskedIn(state, open.item)?.equalBy
  if (equalBy === undefined) return [open]
  return [...state.inbox.values()].filter(({ item }) => permissionAskedIn(state, item)?.equalBy === equalBy)
}

/** How far an answer to it may reach; empty where it asks for no permission. */
export function scopesOf(state: PlanState, item: InboxItem): readonly PermissionScope[] {
  const request = permissionAskedIn(state, item)
  if (item.kind !== 'permission') return []
  return request?.equalBy === undefined ? ['once'] : PERMISSION_SCOPES
}

/** What a person decided about equal ones: for this task, else for the whole plan. */
function rememberedFor(
  { permissions }: Pick<PlanState, 'permissions'>,
  { task, request }: { readonly task: string; readonly request: AskedRequest },
): RememberedPermission | null {
  if (request.equalBy === undefined) return null
  const equal = permissions.filter(({ equalBy }) => equalBy === request.equalBy)
  return equal.find((one) => one.task === task) ?? equal.find((one) => one.task === null) ?? null
}

/** The answer by such a decision, in the name of the person; null without one. */
export function answerByDecision(
  state: Pick<PlanState, 'permissions'>,
  asked: { readonly task: string; readonly request: AskedRequest },
): RequestAnswer | null {
  const decided = rememberedFor(state, asked)
  if (decided === null) return null
  const { decision, by, item, task } = decided
  const done = decision === 'allow' ? 'allowed' : 'denied'
  const text = `On permission (${asked.request.id}): ${done} by ${by} for the whole ${task === null ? 'plan' : 'task'} (${item}).`
  return { outcome: decision === 'allow' ? 'granted' : 'denied', text, by }
}
