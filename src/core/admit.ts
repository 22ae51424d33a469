/**
 * Whether a fact that somebody proposes may happen now. Workers, people and performers all answer
 * late sometimes; what no longer fits is kept as a word that was ignored, and changes nothing.
 */
import type { PlanEvent } from './events/plan-events.ts'
import { mayHappen } from './life.ts'
import type { PlanState, TaskState } from './state.ts'

/** Null when the event fits, else why it does not. */
export function misfit(state: PlanState, event: PlanEvent): string | null {
  switch (event.type) {
    case 'worker.started':
    case 'worker.condemned':
    case 'worker.ended': {
      const live = state.tasks.get(event.task)?.live
      if (live?.worker !== event.worker) return `${event.worker} is not the worker of task ${event.task} now`
      return event.type !== 'worker.ended' && live.step === 'stopping'
        ? `${event.worker} is being stopped`
        : null
    }
    case 'work.collected':
      return taskMisfit(state, event, (task) => task.draft?.worker === event.worker)
    case 'task.gated':
      return taskMisfit(
        state,
        event,
        (task) => event.tree === task.draft?.tree && (event.scope === 'failed') === (task.recheck !== null),
      )
    case 'task.reviewed':
    case 'task.committed':
    case 'task.commit_refused':
      return taskMisfit(state, event, () => true)
    case 'task.dispatched':
      return taskMisfit(state, { ...event, attempt: event.attempt - 1 }, () => true)
    case 'review.dispatched': {
      const task = state.tasks.get(event.task)
      return task?.step === 'reviewing' && task.live === null
        ? null
        : `task ${event.task} is not waiting for a review`
    }
    case 'inbox.answered': {
      const item = state.inbox.get(event.id)?.item
      if (item === undefined) return `${event.id} is not open`
      if (event.choice === 'pause')
        return `to pause is no answer: the plan is paused and ${event.id} stays open`
      const keys = item.options.map((option) => option.key)
      return keys.includes(event.choice) ? null : `${event.id} takes ${keys.join(', ')}, not ${event.choice}`
    }
    case 'inbox.withdrawn':
    case 'inbox.presented':
      return state.inbox.has(event.id) ? null : `${event.id} is not open`
    case 'integration.ran': {
      const layer = state.layers.get(event.layer)
      const isDue = layer?.status === 'due' && event.round === layer.runs + 1
      return isDue ? null : `integration of ${event.layer} is not due`
    }
    case 'release.gated':
      return state.release.step === 'open' && event.round === state.release.runs + 1
        ? null
        : 'no release gate is due'
    case 'release.prepared':
      return state.release.step === 'passed' ? null : 'the release gate has not passed'
    case 'release.signed':
      return state.release.step === 'prepared' ? null : 'there is no release to sign'
    case 'plan.registered':
      return 'the plan is registered already'
    case 'plan.baselined':
      return state.baseline === null ? null : 'there is a baseline already'
    case 'plan.paused':
      return state.paused === null ? null : 'the plan is paused already'
    case 'plan.resumed':
      return state.paused === null ? 'the plan is not paused' : null
    case 'plan.cancelled':
      return state.cancelled === null ? null : 'the plan is cancelled already'
    case 'plan.extended':
      return event.tasks.some((task) => state.tasks.has(task.id)) ? 'it adds a task that exists' : null
    case 'risk.settled':
      return state.risks.get(event.risk)?.status === 'open' ? null : `risk ${event.risk} is not open`
    case 'task.replanned':
      return state.rejected.has(event.task) ? null : `task ${event.task} is not rejected`
    case 'task.tier_raised':
      return state.tasks.has(event.task) ? null : `there is no task ${event.task}`
    case 'word.ignored':
    case 'progress.reported':
    case 'effect.failed':
    case 'pm.started':
    case 'clock.jumped':
    case 'inbox.opened':
      return null
  }
}

interface AboutAttempt {
  readonly type: PlanEvent['type']
  readonly task: string
  readonly attempt: number
}

function taskMisfit(
  state: PlanState,
  about: AboutAttempt,
  fits: (task: TaskState) => boolean,
): string | null {
  const task = state.tasks.get(about.task)
  if (task === undefined) return `there is no task ${about.task}`
  if (task.attempt !== about.attempt) return `attempt ${about.attempt} of task ${about.task} is over`
  if (!mayHappen(about.type, task.step)) return `task ${about.task} is ${task.step}`
  return fits(task) ? null : `it is not about the work of task ${about.task} as it is now`
}
