/** Indexes by step and tier, so that no event has to walk all tasks. */
import { statusOf, type Step } from './life.ts'
import { runsBeside, type PlanState, type TaskState } from './state.ts'

const holdsSlot = (step: Step): boolean => statusOf(step) === 'in_progress' && step !== 'awaiting_person'

/** Removes the task from every index by step or tier. */
export function unindex(state: PlanState, task: TaskState): void {
  const status = statusOf(task.step)
  state.counts[status]--
  if (status !== 'completed' && !task.dropped) state.left[task.tier]--
  if (status === 'escalated' || status === 'failed') state.blocked.delete(task)
  if (status === 'ready') state.ready.remove(task)
  if (status !== 'in_progress') return
  state.active.delete(task)
  state.locks.free(task.place)
  state.ready.freed(task.place)
  if (holdsSlot(task.step)) {
    state.holding.delete(task)
    if (!runsBeside(state.settings, task.tier)) state.serialHolding--
  } else state.waitingForReview--
}

/** Adds the task to every index by step and tier. */
export function index(state: PlanState, task: TaskState): void {
  const status = statusOf(task.step)
  state.counts[status]++
  if (status !== 'completed' && !task.dropped) state.left[task.tier]++
  if ((status === 'escalated' || status === 'failed') && !task.dropped) state.blocked.add(task)
  if (status === 'ready') state.ready.add(task)
  if (status !== 'in_progress') return
  state.active.add(task)
  state.locks.take(task.place)
  if (holdsSlot(task.step)) {
    state.holding.add(task)
    if (!runsBeside(state.settings, task.tier)) state.serialHolding++
  } else state.waitingForReview++
}

/** Moves a task to another step; within `in_progress` it keeps its area and its place. */
export function reindex(state: PlanState, task: TaskState, to: Step): void {
  if (statusOf(task.step) !== 'in_progress' || statusOf(to) !== 'in_progress') {
    unindex(state, task)
    task.step = to
    index(state, task)
    return
  }
  const [held, holds] = [holdsSlot(task.step), holdsSlot(to)]
  task.step = to
  if (held === holds) return
  const serial = runsBeside(state.settings, task.tier) ? 0 : 1
  state.serialHolding += holds ? serial : -serial
  state.waitingForReview += holds ? -1 : 1
  if (holds) state.holding.add(task)
  else state.holding.delete(task)
}
