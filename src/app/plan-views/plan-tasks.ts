/** The tasks of a plan, a page at a time: only the rows of the page are made, however many tasks there are. */
import { statusOf, type Status } from '../../core/state/life.ts'
import type { TaskState } from '../../core/state/state.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { PlanTasksAnswer } from '../../protocol/plan-views.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { taskRows } from '../plans/plan-status.ts'

export interface TasksWanted {
  readonly limit?: number | undefined
  /** The id of the last task of the page before. */
  readonly cursor?: string | undefined
  readonly status?: Status | undefined
  /** In the id or the title, in any case. */
  readonly text?: string | undefined
}

export function planTasks(plan: HostedPlan, wanted: TasksWanted, now: number): PlanTasksAnswer {
  const { limit = Number.POSITIVE_INFINITY, cursor, status } = wanted
  const { tasks } = plan.state
  if (cursor !== undefined && !tasks.has(cursor)) throw unknownCursor(plan, cursor)
  const matches = matcherOf(wanted)
  const known = totalOf(plan, wanted)
  const page: TaskState[] = []
  let matching = 0
  let hasMore = false
  let isPast = cursor === undefined
  for (const task of tasks.values()) {
    if ((status === undefined || statusOf(task.step) === status) && matches(task)) {
      matching++
      if (isPast && page.length < limit) page.push(task)
      else if (isPast) hasMore = true
      if (known !== null && (hasMore || matching === known)) break
    }
    if (task.spec.id === cursor) isPast = true
  }
  return {
    tasks: taskRows(plan, now, page),
    next: hasMore ? (page.at(-1)?.spec.id ?? null) : null,
    total: known ?? matching,
  }
}

/** Where it is counted already; null where each task has to be looked at. */
function totalOf({ state }: HostedPlan, { status, text = '' }: TasksWanted): number | null {
  if (text !== '') return null
  return status === undefined ? state.tasks.size : state.counts[status]
}

function matcherOf({ text = '' }: TasksWanted): (task: TaskState) => boolean {
  if (text === '') return () => true
  // A pattern ignores case without a copy of every title.
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'iu')
  return ({ spec }) => pattern.test(spec.id) || pattern.test(spec.title)
}

const unknownCursor = (plan: HostedPlan, cursor: string): Refusal =>
  new Refusal({
    code: 'usage',
    message: `cursor: plan ${plan.id} has no task ${cursor}`,
    remedy: 'Start again without a cursor: the plan was edited.',
  })
