/** What the watch said and did, as it changes a worker and its task. */
import type { EventOf } from './events/plan-events.ts'
import type { Message } from './events/watch.ts'
import { decided, taskIn } from './fold-moves.ts'
import { workerCondemned } from './fold-workers.ts'
import { FIRST_CHECKIN } from './watch/rules.ts'
import type { Instant, LiveWorker, OpenItem, PlanState, TaskState, Watch } from './state.ts'
import { EXTENSION_MINUTES, isExtension, minutesSaid } from './watch/extension.ts'

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

export function workerJudged(state: PlanState, event: EventOf<'worker.judged'>, at: Instant): void {
  change(state, event, () => ({ health: event.health }))
  decided(taskIn(state, event.task), at, `${event.worker} is ${event.health.replace('_', ' ')}: ${event.why}`)
}

export function workerTold(state: PlanState, event: EventOf<'worker.told'>, at: Instant): void {
  change(state, event, (watch) => told(watch, event.message, at))
}

export function told(watch: Watch, message: Message, at: Instant): Partial<Watch> {
  return {
    messages: message.id,
    waiting: [...watch.waiting, message],
    told: { ...watch.told, [message.about]: at },
  }
}

export function workerHeard(state: PlanState, event: EventOf<'worker.heard'>): void {
  change(state, event, ({ waiting }) => ({
    waiting: waiting.filter(({ id }) => !event.messages.includes(id)),
  }))
}

export function workerExtended(state: PlanState, event: EventOf<'worker.extended'>, at: Instant): void {
  change(state, event, () => ({ extendedMs: event.extraMs }))
  decided(
    taskIn(state, event.task),
    at,
    `${event.worker} has ${Math.round(event.extraMs / 60_000)} min more: ${event.why}`,
  )
}

export function checkinMissed(state: PlanState, event: EventOf<'checkin.missed'>, at: Instant): void {
  change(state, event, (watch) => ({ told: { ...watch.told, [FIRST_CHECKIN]: at } }))
}

export function wouldHave(state: PlanState, event: EventOf<'watch.would'>, at: Instant): void {
  change(state, event, (watch) => ({ told: { ...watch.told, [event.about]: at } }))
  decided(taskIn(state, event.task), at, `would ${event.what} ${event.worker}: ${event.why}`)
}

/** A person was told of a worker. */
export function alerted(state: PlanState, { item }: EventOf<'inbox.opened'>, at: Instant): void {
  change(state, { worker: item.about ?? '', task: item.task ?? '' }, () => ({ escalatedAt: at }))
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
  workerCondemned(state, { type: 'worker.condemned', v: 1, ...about, cause, why }, at)
}

/** What a person says, else what they give without saying how much. */
function extensionMs(feedback: string): number {
  const said = minutesSaid(feedback)
  return (said !== null && isExtension(said) ? said : EXTENSION_MINUTES) * 60_000
}
