/** Why an event about a worker or an attempt comes too late: reasons that several events share. */
import { mayHappen, type Trigger } from '../state/life.ts'
import type { LiveWorker, PlanState, TaskState } from '../state/state.ts'

interface OfWorker {
  readonly worker: string
  readonly task: string
}

/** The worker must be the task's worker now, and `check` must have nothing against it. */
export function rejectUnlessLive(
  state: PlanState,
  { worker, task }: OfWorker,
  check: (live: LiveWorker) => string | null,
): string | null {
  const live = state.tasks.get(task)?.live
  return live?.worker === worker ? check(live) : `${worker} is not the worker of task ${task} now`
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

/** The attempt must be the task's attempt now, at a step where this can happen. */
export function rejectUnlessCurrent(
  state: PlanState,
  about: AboutAttempt,
  fits: (task: TaskState) => boolean = () => true,
): string | null {
  const task = state.tasks.get(about.task)
  if (task === undefined) return `there is no task ${about.task}`
  if (task.attempt !== about.attempt) return `attempt ${about.attempt} of task ${about.task} is over`
  if (!mayHappen(about.type, task.step)) return `task ${about.task} is ${task.step}`
  return fits(task) ? null : `it is not about the work of task ${about.task} as it is now`
}
