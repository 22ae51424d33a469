/** Lists over all plans, whole or a page at a time. Only the rows of a page are made. */
import type { TaskState } from '../../core/state/state.ts'
import { pageOf, type Page, type Rows } from '../../lib/page-of.ts'
import type { InboxEntry, PlanRow, TaskRow, WorkerRow } from '../../protocol/answers.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { HostedPlan } from '../host/hosted-plan.ts'
import { damagedRows } from '../inbox/unloaded-items.ts'
import { allPlanRows, allWorkerRows, inboxOfAll, planRow, taskRows } from './plan-status.ts'

export interface ListAsked {
  /** Without one the list is answered whole. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

interface Paged {
  readonly next: string | null
  readonly total: number
}

/** A list without a limit has no `next` and no `total`. */
type Listed<K extends string, T> = Readonly<Record<K, readonly T[]>> & Partial<Paged>

export function listPlans(host: HostToRead, { limit, cursor }: ListAsked): Listed<'plans', PlanRow> {
  if (limit === undefined) return { plans: allPlanRows(host) }
  const now = host.parts.clock.now()
  const all = [...host.plans(), ...damagedRows(host)]
  const { rows, ...paged } = pageOf(all, { limit, cursor }, (one) =>
    one instanceof HostedPlan ? one.home.stream : `${one.repo} ${one.id}`,
  )
  return { plans: rows.map((one) => (one instanceof HostedPlan ? planRow(one, now) : one)), ...paged }
}

export function listTasks(host: HostToRead, { limit, cursor }: ListAsked): Listed<'tasks', TaskRow> {
  const now = host.parts.clock.now()
  const plans = host.plans()
  if (limit === undefined) return { tasks: plans.flatMap((plan) => taskRows(plan, now)) }
  const { rows, ...paged } = pageOf(
    tasksIn(plans),
    { limit, cursor },
    ({ plan, task }) => `${plan.home.stream} ${task.spec.id}`,
  )
  const ofPlan = new Map<HostedPlan, TaskState[]>()
  for (const { plan, task } of rows) ofPlan.set(plan, [...(ofPlan.get(plan) ?? []), task])
  return { tasks: [...ofPlan].flatMap(([plan, tasks]) => taskRows(plan, now, tasks)), ...paged }
}

interface PlannedTask {
  readonly plan: HostedPlan
  readonly task: TaskState
}

/** Without a list of them all, since there may be very many. */
function tasksIn(plans: readonly HostedPlan[]): Rows<PlannedTask> {
  return {
    length: plans.reduce((sum, { state }) => sum + state.tasks.size, 0),
    slice(from, to) {
      const rows: PlannedTask[] = []
      let place = 0
      for (const plan of plans) {
        const { tasks } = plan.state
        if (place >= to) break
        if (place + tasks.size > from) {
          let at = place
          for (const task of tasks.values()) {
            if (at >= to) break
            if (at++ >= from) rows.push({ plan, task })
          }
        }
        place += tasks.size
      }
      return rows
    },
  }
}

export function listWorkers(host: HostToRead, asked: ListAsked): Listed<'workers', WorkerRow> {
  const { rows, ...paged } = listed(allWorkerRows(host), asked, ({ id, repo }) => `${repo ?? ''} ${id}`)
  return { workers: rows, ...paged }
}

export function listInbox(host: HostToRead, asked: ListAsked): Listed<'inbox', InboxEntry> {
  const { rows, ...paged } = listed(inboxOfAll(host), asked, ({ id, repo }) => `${repo} ${id}`)
  return { inbox: rows, ...paged }
}

function listed<T>(
  all: readonly T[],
  { limit, cursor }: ListAsked,
  keyOf: (row: T) => string,
): Page<T> | { readonly rows: readonly T[] } {
  return limit === undefined ? { rows: all } : pageOf(all, { limit, cursor }, keyOf)
}
