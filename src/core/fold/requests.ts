/** A person's answer to a worker's request. */
import type { EventOf } from '../events/plan-events.ts'
import { taskIn } from './moves.ts'
import { change, stopWorker } from './watch.ts'
import type { RememberedPermission } from '../event-schemas/requests.ts'
import type { InboxItem } from '../event-schemas/schemas.ts'
import type { AskedRequest, Instant, OpenItem, PlanState } from '../state/state.ts'
import { permissionAskedIn } from '../watch/requests/permissions.ts'

/** A person's reply becomes the request's answer, unless they have the worker replaced. */
export function answerRequest(
  state: PlanState,
  { item }: OpenItem,
  { answer, at }: { readonly answer: EventOf<'inbox.answered'>; readonly at: Instant },
): void {
  const task = taskIn(state, item.task ?? '')
  const { live } = task
  const id = item.about ?? ''
  if (live === null || live.step === 'stopping' || live.watch.requests.every((one) => one.id !== id)) return
  const { choice, feedback, by } = answer
  const { worker } = live
  remember(state, item, { answer, at })
  if (choice === 'restart') stopWorker(state, task, { worker, by, feedback, at, cause: 'restarted' })
  else
    change(state, { worker, task: task.spec.id }, ({ requests }) => ({
      requests: withRequest(requests, id, { reply: { choice, feedback, by } }),
    }))
}

/** A permission that was decided for a task or the plan answers equal ones from here on. */
function remember(
  state: PlanState,
  item: InboxItem,
  { answer, at }: { readonly answer: EventOf<'inbox.answered'>; readonly at: Instant },
): void {
  const { choice, scope, by } = answer
  const equalBy = permissionAskedIn(state, item)?.equalBy
  if (equalBy === undefined || (scope !== 'task' && scope !== 'plan')) return
  if (choice !== 'allow' && choice !== 'deny') return
  const task = scope === 'task' ? item.task : null
  const decided: RememberedPermission = { equalBy, decision: choice, task, by, item: item.id, at }
  const before = state.permissions.find((one) => one.equalBy === equalBy && one.task === task)
  // The others of a group say the same as the first.
  if (before?.decision === choice && before.by === by) return
  state.permissions = [...state.permissions.filter((one) => one !== before), decided]
}

export const withRequest = (
  requests: readonly AskedRequest[],
  id: string,
  now: Partial<AskedRequest>,
): readonly AskedRequest[] => requests.map((one) => (one.id === id ? { ...one, ...now } : one))
