/** Updates the watch's record of a worker, and applies a person's answer about one. */
import type { InboxItem } from '../event-schemas/schemas.ts'
import type { EventOf } from '../events/plan-events.ts'
import type { Message } from '../event-schemas/watch.ts'
import { taskIn } from './moves.ts'
import { condemn, liveIn } from './workers.ts'
import type { Instant, OpenItem, PlanState, TaskState, Watch } from '../state/state.ts'
import { nudgeMessage } from '../watch/requests/written-messages.ts'
import { EXTENSION_MINUTES, isExtension, parseMinutes } from '../watch/requests/extension.ts'

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
