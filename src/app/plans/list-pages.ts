/** Lists over all plans, whole or a page at a time. Only the rows of a page are made. */
import { pageOf, type Page } from '../../lib/page-of.ts'
import type { InboxEntry, PlanRow, TaskRow, WorkerRow } from '../../protocol/answers.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { HostedPlan } from '../host/hosted-plan.ts'
import { damagedRows } from '../inbox/answer-item.ts'
import { allWorkerRows, inboxOfAll, planRow, taskRows } from './plan-status.ts'

export interface ListAsked {
  /** Without one the list is answered whole. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** A list without a limit has no `next` and no `total`. */
type Paged = Partial<Pick<Page<never>, 'next' | 'total'>>

export function listPlans(
  host: HostToRead,
  asked: ListAsked,
): Paged & { readonly plans: readonly PlanRow[] } {
  const now = host.parts.clock.now()
  const all = [...host.plans(), ...damagedRows(host)]
  const { rows, ...paged } = listed(all, asked, (one) =>
    one instanceof HostedPlan ? one.home.stream : `${one.repo} ${one.id}`,
  )
  return { plans: rows.map((one) => (one instanceof HostedPlan ? planRow(one, now) : one)), ...paged }
}

export function listTasks(
  host: HostToRead,
  asked: ListAsked,
): Paged & { readonly tasks: readonly TaskRow[] } {
  const now = host.parts.clock.now()
  const all = host.plans().flatMap((plan) => [...plan.state.tasks.values()].map((task) => ({ plan, task })))
  const { rows, ...paged } = listed(all, asked, ({ plan, task }) => `${plan.home.stream} ${task.spec.id}`)
  const byPlan = [...Map.groupBy(rows, ({ plan }) => plan)]
  const taskOf = ({ task }: (typeof rows)[number]) => task
  return { tasks: byPlan.flatMap(([plan, own]) => taskRows(plan, now, own.map(taskOf))), ...paged }
}

export function listWorkers(
  host: HostToRead,
  asked: ListAsked,
): Paged & { readonly workers: readonly WorkerRow[] } {
  const { rows, ...paged } = listed(allWorkerRows(host), asked, ({ id, repo }) => `${repo ?? ''} ${id}`)
  return { workers: rows, ...paged }
}

export function listInbox(
  host: HostToRead,
  asked: ListAsked,
): Paged & { readonly inbox: readonly InboxEntry[] } {
  const { rows, ...paged } = listed(inboxOfAll(host), asked, ({ id, repo }) => `${repo} ${id}`)
  return { inbox: rows, ...paged }
}

const listed = <T>(
  all: readonly T[],
  { limit, cursor }: ListAsked,
  keyOf: (row: T) => string,
): Paged & { readonly rows: readonly T[] } =>
  limit === undefined ? { rows: all } : pageOf(all, { limit, cursor }, keyOf)
