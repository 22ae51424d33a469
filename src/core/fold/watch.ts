/** Updates the watch's record of a worker, and applies a person's answer about one. */
import type { InboxItem } from '../event-schemas/schemas.ts'
import type { StopCause } from '../event-schemas/stop-causes.ts'
import type { EventOf } from '../events/plan-events.ts'
import type { Message } from '../event-schemas/watch.ts'
import { taskIn, decided, moveTask } from './moves.ts'
import type {
  Instant,
  OpenItem,
  PlanState,
  TaskState,
  Watch,
  AskedRequest,
  LiveWorker,
} from '../state/state.ts'
import { nudgeMessage } from '../watch/requests/written-messages.ts'
import { EXTENSION_MINUTES, isExtension, parseMinutes } from '../watch/requests/extension.ts'
import { permissionAskedIn } from '../watch/requests/permissions.ts'
import type { RememberedPermission } from '../event-schemas/requests.ts'
import { latest, minus, plus, type Spent } from '../state/spending.ts'

interface OfWorker {
  readonly worker: string
  readonly task: string
}

export function change(state: PlanState, event: OfWorker, to: (watch: Watch) => Partial<Watch>): void {
  const task = taskIn(state, event.task)
  const live = liveIn(task, event.worker)
  task.live = { ...live, watch: { ...live.watch, ...to(live.watch) } }
}

/** The record after one more message to the worker. */
export function withMessage(watch: Watch, message: Omit<Message, 'id'>, at: Instant): Partial<Watch> {
  const id = watch.messages + 1
  return {
    messages: id,
    waiting: [...watch.waiting, { ...message, id }],
    sentAt: { ...watch.sentAt, [message.about]: at },
  }
}

/** A worker was escalated to a person. */
export function alerted(state: PlanState, { about, task }: InboxItem, at: Instant): void {
  change(state, { worker: about ?? '', task: task ?? '' }, () => ({ escalatedAt: at }))
}

/** Applies a person's choice about a worker; ignored if the worker has ended. */
export function answerAlert(
  state: PlanState,
  { item }: OpenItem,
  { answer, at }: { readonly answer: EventOf<'inbox.answered'>; readonly at: Instant },
): void {
  const task = taskIn(state, item.task ?? '')
  const { live } = task
  if (live === null || live.worker !== item.about || live.step === 'stopping') return
  const { choice, feedback, by } = answer
  const about = { worker: live.worker, task: task.spec.id }
  switch (choice) {
    case 'nudge':
      change(state, about, (watch) => ({ ...withMessage(watch, nudgeMessage(answer), at), armedAt: at }))
      return
    case 'extend':
      change(state, about, (watch) => ({ extraMs: watch.extraMs + extensionMs(feedback), armedAt: at }))
      return
    case 'restart':
      stopWorker(state, task, { worker: live.worker, by, feedback, at, cause: 'restarted' })
      return
    case 'kill':
      stopWorker(state, task, { worker: live.worker, by, feedback, at, cause: 'killed' })
  }
}

interface StopByHand extends Pick<EventOf<'inbox.answered'>, 'by' | 'feedback'> {
  readonly worker: string
  readonly at: Instant
  readonly cause: 'killed' | 'restarted'
}

export function stopWorker(state: PlanState, task: TaskState, hand: StopByHand): void {
  const { worker, by, feedback, at, cause } = hand
  const why = `${cause} by ${by}${feedback === '' ? '' : `: ${feedback}`}`
  condemn(state, task, { worker, cause, why, at })
}

/** The minutes a person names, else the default extension. */
function extensionMs(feedback: string): number {
  const minutes = parseMinutes(feedback)
  return (minutes !== null && isExtension(minutes) ? minutes : EXTENSION_MINUTES) * 60_000
}

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

/** The task's live worker; throws if that is another one. */
export function liveIn({ live }: TaskState, worker: string): LiveWorker {
  if (live?.worker !== worker) throw new Error(`${worker} is not running`)
  return live
}

/** Adds what exceeds the known amount: a worker's report never lowers a sum, except where a count replaces an estimate. */
export function noteUse(state: PlanState, task: TaskState, { live, spent }: Use): Spent {
  const used = latest(live.used, spent)
  state.spending.total = plus(minus(state.spending.total, live.used), used)
  task.live = { ...live, used }
  return used
}

export interface Use {
  readonly live: LiveWorker
  readonly spent: Spent
}

interface Condemnation {
  readonly worker: string
  readonly cause: StopCause
  readonly why: string
  readonly checkpoint?: string | undefined
  /** The person who takes it over. */
  readonly by?: string | undefined
  readonly at: Instant
}

/** The worker is condemned: its work will be saved, then it is stopped. */
export function condemn(state: PlanState, task: TaskState, condemnation: Condemnation): void {
  const { worker, cause, why, checkpoint = null, at } = condemnation
  task.live = { ...liveIn(task, worker), step: 'stopping', stopCause: cause, stopWhy: why }
  task.checkpoint = checkpoint
  if (cause === 'taken_over') task.takenOverBy = condemnation.by ?? 'a person'
  decided(task, at, why)
  if (task.step !== 'reviewing') moveTask(state, task, { to: 'stopping', on: 'worker.condemned', at })
}
