/** Rejection reasons that several events share: the worker or the attempt is no longer current. */
import { mayHappen, type Trigger } from '../state/life.ts'
import type { LiveWorker, PlanState, TaskState } from '../state/state.ts'

interface OfWorker {
  readonly worker: string
  readonly task: string
}

/** The worker must be the task's current worker, and `check` must not reject it. */
export function rejectUnlessLive(
  state: PlanState,
  { worker, task }: OfWorker,
  check: (live: LiveWorker) => string | null,
): string | null {
  const live = state.tasks.get(task)?.live
  return live?.worker === worker ? check(live) : `${worker} is no longer the worker of task ${task}`
}

export const rejectStopping = (live: LiveWorker): string | null =>
  live.step === 'stopping' ? `${live.worker} is being stopped` : null

export const rejectUnlessRunning = (state: PlanState, event: OfWorker): string | null =>
  rejectUnlessLive(state, event, rejectStopping)

interface AboutAttempt {
  readonly type: Trigger
  readonly task: string
  readonly attempt: number
}

/** The attempt must be the task's current attempt, at a step that allows the event. */
export function rejectUnlessCurrent(
  state: PlanState,
  about: AboutAttempt,
  fits: (task: TaskState) => boolean = () => true,
): string | null {
  const task = state.tasks.get(about.task)
  if (task === undefined) return `no task ${about.task}`
  if (task.attempt !== about.attempt) return `attempt ${about.attempt} of task ${about.task} has ended`
  if (!mayHappen(about.type, task.step)) return `task ${about.task} is ${task.step}`
  return fits(task) ? null : `the work of task ${about.task} has changed since`
}
