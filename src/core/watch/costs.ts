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
  type Limit,
  type Spent,
  type WorkerBudget,
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

/** What is left for a worker of this task: the lesser of what its task and the plan have left. */
export function leftFor(state: PlanState, task: TaskState): Limit {
  const left = (unit: 'usd' | 'tokens'): number | null =>
    allowancesOf(state, task).reduce<number | null>((least, { limit, used }) => {
      const most = limit[unit]
      return most === null ? least : Math.min(least ?? Infinity, Math.max(0, most - used[unit]))
    }, null)
  return { tokens: left('tokens'), usd: left('usd') }
}

/** What its supervisor holds a worker to that starts now; null where nothing limits it. */
export function workerBudget(state: PlanState, task: TaskState): WorkerBudget | null {
  const left = leftFor(state, task)
  if (!isLimited(left)) return null
  const { prices } = state.settings
  return prices === undefined ? left : { ...left, prices }
}

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
