/** Changes to what the watch knows of a worker, and a person's answer about one. */
import type { InboxItem } from '../event-schemas/schemas.ts'
import type { EventOf } from '../events/plan-events.ts'
import type { Message } from '../event-schemas/watch.ts'
import { taskIn } from './moves.ts'
import { condemn } from './workers.ts'
import type { Instant, LiveWorker, OpenItem, PlanState, TaskState, Watch } from '../state/state.ts'
import { EXTENSION_MINUTES, isExtension, parseMinutes } from '../watch/requests/extension.ts'

interface OfWorker {
  readonly worker: string
  readonly task: string
}

function watchOf(state: PlanState, event: OfWorker): { readonly task: TaskState; readonly live: LiveWorker } {
  const task = taskIn(state, event.task)
  if (task.live?.worker !== event.worker) throw new Error(`${event.worker} is not alive`)
  return { task, live: task.live }
}

export function change(state: PlanState, event: OfWorker, to: (watch: Watch) => Partial<Watch>): void {
  const { task, live } = watchOf(state, event)
  task.live = { ...live, watch: { ...live.watch, ...to(live.watch) } }
}

export function told(watch: Watch, message: Message, at: Instant): Partial<Watch> {
  return {
    messages: message.id,
    waiting: [...watch.waiting, message],
    told: { ...watch.told, [message.about]: at },
  }
}

/** A person gets an alert about a worker. */
export function alerted(state: PlanState, { about, task }: InboxItem, at: Instant): void {
  change(state, { worker: about ?? '', task: task ?? '' }, () => ({ escalatedAt: at }))
}

/** What a person wants done with a worker; one that has ended meanwhile wants nothing. */
export function answerAlert(
  state: PlanState,
  { item }: OpenItem,
  { answer, at }: { readonly answer: EventOf<'inbox.answered'>; readonly at: Instant },
): void {
  const task = taskIn(state, item.task ?? '')
  const { live } = task
  if (live === null || live.worker !== item.about || live.step === 'stopping') return
  const { choice, feedback, by } = answer
  const about = { worker: live.worker, task: task.spec.id, attempt: live.attempt }
  switch (choice) {
    case 'nudge': {
      const text = feedback === '' ? 'Say where you are, and go on.' : feedback
      const message = {
        id: live.watch.messages + 1,
        kind: 'nudge',
        text,
        about: `nudge by ${by}`,
        by,
      } as const
      change(state, about, (watch) => ({ ...told(watch, message, at), armedAt: at }))
      return
    }
    case 'extend':
      change(state, about, (watch) => ({ extraMs: watch.extraMs + extensionMs(feedback), armedAt: at }))
      return
    case 'restart':
      restartWorker(state, about, { by, feedback, at })
      return
    case 'kill':
      stopWorker(state, about, { by, feedback, at, cause: 'killed' })
  }
}

type ByHand = Pick<EventOf<'inbox.answered'>, 'by' | 'feedback'> & { readonly at: Instant }
type OfAttempt = OfWorker & { readonly attempt: number }

export function restartWorker(state: PlanState, about: OfAttempt, hand: ByHand): void {
  stopWorker(state, about, { ...hand, cause: 'restarted' })
}

function stopWorker(
  state: PlanState,
  about: OfAttempt,
  { by, feedback, at, cause }: ByHand & { readonly cause: 'killed' | 'restarted' },
): void {
  const why = `${by} had it ${cause}${feedback === '' ? '' : `: ${feedback}`}`
  condemn(state, taskIn(state, about.task), { worker: about.worker, cause, why, at })
}

/** What a person says, else what they give without saying how much. */
function extensionMs(feedback: string): number {
  const said = parseMinutes(feedback)
  return (said !== null && isExtension(said) ? said : EXTENSION_MINUTES) * 60_000
}
