/** Changes to a live worker that several events share. */
import type { StopCause } from '../event-schemas/schemas.ts'
import { decided, moveTask } from './moves.ts'
import { latest, minus, plus, type Spent } from '../state/spending.ts'
import type { Instant, LiveWorker, PlanState, TaskState } from '../state/state.ts'

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
