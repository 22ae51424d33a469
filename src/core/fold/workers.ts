/** The changes to a live worker that several events make. */
import type { StopCause } from '../event-schemas/schemas.ts'
import { decided, moveTask } from './moves.ts'
import { atLeast, minus, plus, type Spent } from '../state/spending.ts'
import type { Instant, LiveWorker, PlanState, TaskState } from '../state/state.ts'

/** The worker of the task. It must have one: what a dead worker did is no fact. */
export function liveIn({ live }: TaskState, worker: string): LiveWorker {
  if (live === null) throw new Error(`${worker} is not alive`)
  return live
}

/** Counts only what exceeds the amount already known: a worker's report never lowers a sum. */
export function noteUse(state: PlanState, task: TaskState, { live, spent }: Use): Spent {
  const used = atLeast(live.used, spent)
  state.spending.total = plus(state.spending.total, minus(used, live.used))
  task.live = { ...live, used }
  return used
}

export interface Use {
  readonly live: LiveWorker
  readonly spent: Spent
}

export interface Condemnation {
  readonly worker: string
  readonly cause: StopCause
  readonly why: string
  readonly checkpoint?: string | undefined
  readonly at: Instant
}

/** Decided, not yet done: its work is saved first, then it is stopped. */
export function condemn(state: PlanState, task: TaskState, condemnation: Condemnation): void {
  const { worker, cause, why, checkpoint, at } = condemnation
  task.live = { ...liveIn(task, worker), step: 'stopping', stopCause: cause, stopWhy: why }
  task.checkpoint = checkpoint ?? null
  decided(task, at, why)
  if (task.step !== 'reviewing') moveTask(state, task, { to: 'stopping', on: 'worker.condemned', at })
}
