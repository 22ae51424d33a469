/** When work has to wait or stop because of what it costs. */
import {
  estimate,
  isLimited,
  isUsedUp,
  minus,
  overrun,
  plus,
  usedBy,
  type Allowance,
  type Spent,
} from '../state/spending.ts'
import type { LiveWorker, PlanState, TaskState } from '../state/state.ts'

/** Why the worker has to be stopped for its costs; null if it need not. */
export function costStop(state: PlanState, task: TaskState, live: LiveWorker): string | null {
  const { total, limit } = state.spending
  const ofTask = taskOverrun(state, task, live.used)
  if (ofTask !== null) return `${live.worker} has used ${ofTask}, the limit of its task`
  const ofPlan = overrun(total, limit)
  return ofPlan === null ? null : `the plan has used ${ofPlan}`
}

/** The limits that a worker of this task counts against. */
export const allowancesOf = ({ spending }: PlanState, task: TaskState): readonly Allowance[] => [
  { limit: spending.limit, used: spending.total },
  { limit: spending.taskLimit, used: minus(usedBy(task), task.forgiven) },
]

/** What the task has used over its limit, since a person last allowed more; null within the limit. */
export function taskOverrun(state: PlanState, task: TaskState, more: Spent): string | null {
  const { taskLimit } = state.spending
  if (!isLimited(taskLimit)) return null
  return overrun(minus(plus(task.spent, more), task.forgiven), taskLimit)
}

/** Why no further worker may start for this task, given what has been used and what running workers will probably cost. */
export function costBlock(state: PlanState, task: TaskState): string | null {
  const { total, limit, costs } = state.spending
  if (!isLimited(limit)) return null
  if (isUsedUp(total, limit)) return `its budget is used up: ${overrun(total, limit) ?? 'nothing is left'}`
  const running = [...state.active].flatMap(({ live, tier }) =>
    live === null ? [] : [minus(estimate(costs, tier), live.used)],
  )
  const expected = [...running, estimate(costs, task.tier)].reduce(plus, total)
  const over = overrun(expected, limit)
  return over === null ? null : `with task ${task.spec.id} it would come to ${over} (estimated)`
}
