/** A worker is dispatched to work on a task, or to review it. */
import { z } from 'zod'
import { afterDispatch } from '../../state/budgets.ts'
import { breakerProbeSent, probeSent } from '../../fold/providers.ts'
import { decided, moveTask, taskIn } from '../../fold/moves.ts'
import { reviewNeeds } from '../../review/review-need.ts'
import { NOTHING_SPENT } from '../../state/spending.ts'
import type { Instant, LiveWorker, PlanState, TaskState, Watch } from '../../state/state.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { DISPATCH_REASONS, ofWorker, ordinal, ROLES, text } from '../../event-schemas/schemas.ts'
import { rejectUnlessCurrent } from '../rejections.ts'
import { cut, fact, aboutWorker } from '../rendering.ts'

const taskShape = eventShape('task.dispatched', 1, () => ({
  ...ofWorker,
  role: z.enum(ROLES),
  reason: z.enum(DISPATCH_REASONS),
  why: text,
}))

export const taskDispatched: EventDefinition<typeof taskShape> = {
  shape: taskShape,
  rejectionReason: (state, event) => rejectUnlessCurrent(state, { ...event, attempt: event.attempt - 1 }),
  apply(state, event, at) {
    const { worker, role, attempt } = event
    const task = taskIn(state, event.task)
    task.attempt = attempt
    task.counters = afterDispatch(task.counters, event.reason)
    task.dispatchedAt ??= at
    task.requeued = null
    task.reviewSession = null
    // A person has it begun anew.
    if (event.reason === 'retry') task.session = null
    if (task.tier === 'low') state.completedSinceLow = 0
    send(state, task, { worker, role, attempt }, at)
    decided(task, at, event.why)
    moveTask(state, task, { to: 'launching', on: event.type, at })
  },
  render(event) {
    const { worker, attempt, role, reason, why } = event
    const sent = fact('task_dispatched', { attempt, role, reason, why: cut(why) })
    const text = `dispatched ${worker} (${why})`
    if (reason !== 'restart') return aboutWorker(event, text, sent)
    const again = fact(
      'worker_restarted',
      { attempt, why: cut(why) },
      `${worker} goes on with the task (${why})`,
    )
    return aboutWorker(event, text, sent, again)
  },
}

const reviewShape = eventShape('review.dispatched', 1, () => ({ ...ofWorker, round: ordinal }))

export const reviewDispatched: EventDefinition<typeof reviewShape> = {
  shape: reviewShape,
  rejectionReason(state, event) {
    const task = state.tasks.get(event.task)
    const isWaiting = task?.step === 'reviewing' && task.live === null
    return isWaiting ? null : `task ${event.task} is not waiting for a review`
  },
  apply(state, { task: id, worker, attempt, round }, at) {
    const task = taskIn(state, id)
    task.reviewRound = round
    send(state, task, { worker, role: 'reviewer', attempt }, at)
    const needs = task.tier === 'low' ? reviewNeeds(task, state.settings) : []
    if (needs.length > 0) decided(task, at, `needs a reviewer: ${needs.join('; ')}`)
  },
  render(event) {
    const { worker, attempt, round } = event
    return aboutWorker(event, `dispatched reviewer ${worker}`, fact('review_dispatched', { attempt, round }))
  },
}

/** Of a worker that has not started yet. */
const UNWATCHED: Watch = Object.freeze({
  health: 'healthy',
  messages: 0,
  waiting: [],
  sentAt: {},
  unread: [],
  escalatedAt: null,
  armedAt: null,
  extraMs: 0,
  extendedMs: 0,
  pause: null,
  heldMs: 0,
  isClockHeld: false,
  requests: [],
})

type Sent = Pick<LiveWorker, 'worker' | 'role' | 'attempt'>

function send(state: PlanState, task: TaskState, sent: Sent, at: Instant): void {
  const fresh = { agent: null, stopCause: null, stopWhy: null, used: NOTHING_SPENT, watch: UNWATCHED }
  const live: LiveWorker = { ...sent, step: 'launching', since: at, ...fresh }
  task.live = live
  state.manned++
  probeSent(state, live, at)
  breakerProbeSent(state, live)
}
