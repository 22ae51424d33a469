/** What the page shows of one plan: its graph, a page of its tasks, its budget, its timeline. */
import { statusOf, type Status } from '../../core/state/life.ts'
import type { PlanState, TaskState } from '../../core/state/state.ts'
import type { TaskRow } from '../../protocol/answers.ts'
import type { GraphAnswer, PlanTasksAnswer, BudgetAnswer, TimelineAnswer } from '../../protocol/plan-views.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { Kept } from '../host/kept.ts'
import { isOver, type HostedPlan } from '../host/hosted-plan.ts'
import { singleEntries } from '../inbox/inbox.ts'
import { taskRows } from './plan-status.ts'
import { workerRows } from '../workers/worker-rows.ts'
import { type Refusal, refusal } from '../../lib/refusal.ts'
import { usedBy } from '../../core/state/spending.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import { readDocument } from '../host/plan-place.ts'
import { TaskSpans } from '../../core/log/task-spans.ts'
import { readOn } from '../../engine/plan-log.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { iso } from '../../lib/text/format-time.ts'

type Card = GraphAnswer['tasks'][number]

/** More cannot be looked at in one picture; the tasks of larger plans are answered a page at a time. */
const MOST_TASKS = 5000

export function planGraph(host: HostToRead, plan: HostedPlan): Omit<GraphAnswer, 'seq'> {
  const { state, home } = plan
  const now = host.parts.clock.now()
  const shown = shownTasks(state)
  const workers = new Map(workerRows(plan, now).map((worker) => [worker.task, worker]))
  const items = new Map(
    singleEntries(host, plan)
      .map(({ id, task }) => [task, id] as const)
      .toReversed(),
  )
  return {
    plan: plan.id,
    repo: home.repository.path,
    title: state.plan.title,
    tasks: taskRows(plan, now, shown).flatMap((row): Card[] => {
      const { id, title, status, stage, tier, attempt, since, commit_sha } = row
      const task = state.tasks.get(id)
      if (task === undefined) return []
      const { dependsOn } = task.spec
      const worker = workers.get(id)
      const card = { id, title, status, stage, tier, attempt, since, commit_sha }
      return [
        {
          ...card,
          depends_on: [...dependsOn],
          blocked_by: status === 'completed' ? [] : unmet(state, dependsOn),
          worker:
            worker === undefined ? null : { id: worker.id, health: worker.health, reason: worker.reason },
          item: items.get(id) ?? null,
          note: noteOf(row, task),
        },
      ]
    }),
    left_out: state.tasks.size - shown.length,
  }
}

/** All, in plan order; of very many, those that are not completed come before those that are. */
function shownTasks({ tasks }: PlanState): readonly TaskState[] {
  const all = [...tasks.values()]
  if (all.length <= MOST_TASKS) return all
  const open = all.filter(({ step }) => step !== 'completed')
  const done = all.filter(({ step }) => step === 'completed')
  const kept = new Set([...open, ...done.toReversed()].slice(0, MOST_TASKS))
  return all.filter((task) => kept.has(task))
}

const unmet = ({ tasks }: PlanState, ids: readonly string[]): string[] =>
  ids.filter((id) => tasks.get(id)?.step !== 'completed')

/** What is going on in a line; null where the stage says it all. */
function noteOf({ check, landing, trouble }: TaskRow, task: TaskState): string | null {
  if (trouble !== null && trouble !== undefined)
    return `${trouble.what} failed and is retried: ${trouble.reason}`
  if (check !== null && check !== undefined) {
    const tests = check.tests === 0 ? '' : `, ${check.tests} tests so far`
    return `runs ${check.command}${tests}`
  }
  if (landing !== null && landing !== undefined) return landing
  if (task.dropped) return task.splitInto === null ? 'dropped' : `split into ${task.splitInto.join(', ')}`
  return task.step === 'completed' && task.commit === null ? 'existed before the plan' : null
}

/** The tasks of a plan, a page at a time: only the rows of the page are made. */
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
  const contains = matcherOf(wanted)
  const all = [...plan.state.tasks.values()]
  const isWanted = (task: TaskState): boolean =>
    (status === undefined || statusOf(task.step) === status) && contains(task)
  const before = cursor === undefined ? -1 : all.findIndex(({ spec }) => spec.id === cursor)
  if (cursor !== undefined && before === -1) throw unknownCursor(plan, cursor)
  const left = all.slice(before + 1).filter(isWanted)
  const page = left.slice(0, limit)
  return {
    tasks: taskRows(plan, now, page),
    next: left.length > page.length ? (page.at(-1)?.spec.id ?? null) : null,
    total: all.filter(isWanted).length,
  }
}

function matcherOf({ text = '' }: TasksWanted): (task: TaskState) => boolean {
  if (text === '') return () => true
  // A pattern ignores case without a copy of every title.
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'iu')
  return ({ spec }) => pattern.test(spec.id) || pattern.test(spec.title)
}

const unknownCursor = (plan: HostedPlan, cursor: string): Refusal =>
  refusal(
    'usage',
    `cursor: plan ${plan.id} has no task ${cursor}`,
    'Start again without a cursor: the plan was edited.',
  )

/** What a plan used against its limits, and which tasks used most. */
type SetLimit = BudgetAnswer['limits'][number]

const MOST_COSTLY = 10

/** The limit of the brain is in the settings that the plan was registered with. */
export async function planBudget(host: HostToRead, { id, state, home }: HostedPlan): Promise<BudgetAnswer> {
  const document = await readDocument(host.parts.log, home.stream, state.documentedAt)
  const { calls, requests, fallbacks, spent } = state.thinking
  return {
    plan: id,
    usage: usageRecord(state.spending.total),
    limits: limitsOf(state, document?.settings.brain.budget_usd ?? null),
    thinking: calls === 0 ? null : { calls, requests, fallbacks, usage: usageRecord(spent) },
    tasks: costliest(state),
  }
}

function limitsOf({ spending, thinking }: PlanState, brainUsd: number | null): SetLimit[] {
  const { limit, taskLimit, total } = spending
  const all = [
    { of: 'plan_usd', limit: limit.usd, used: total.usd },
    { of: 'plan_tokens', limit: limit.tokens, used: total.tokens },
    { of: 'task_usd', limit: taskLimit.usd, used: null },
    { of: 'task_tokens', limit: taskLimit.tokens, used: null },
    { of: 'brain_usd', limit: brainUsd, used: thinking.spent.usd },
  ] as const
  return all.flatMap(({ limit: most, ...rest }) => (most === null ? [] : [{ ...rest, limit: most }]))
}

function costliest({ tasks }: PlanState): BudgetAnswer['tasks'] {
  return [...tasks.values()]
    .map((task) => ({ task, used: usedBy(task) }))
    .filter(({ used }) => used.tokens > 0 || used.usd > 0)
    .toSorted((a, b) => b.used.usd - a.used.usd || b.used.tokens - a.used.tokens)
    .slice(0, MOST_COSTLY)
    .map(({ task, used }) => ({ id: task.spec.id, title: task.spec.title, usage: usageRecord(used) }))
}

/** Who worked when, from the plan's events. What was read is kept for the next look, which reads only what is new. */
const MOST_KEPT = 3
const kept = new Kept(() => ({ spans: new TaskSpans(), readings: new SerialQueue() }), MOST_KEPT)

/** More rows cannot be looked at; the latest are kept. */
const MOST_ROWS = 2000

export async function planTimeline(host: HostToRead, plan: HostedPlan): Promise<TimelineAnswer> {
  const { stream } = plan.home
  const { spans, readings } = kept.of(host, stream)
  try {
    await readings.run(async () => {
      for (const one of await readOn(host.parts.log, stream, spans.version)) spans.take(one)
    })
  } catch (error) {
    // Taken in part: the next look begins anew.
    kept.forget(host, stream)
    throw error
  }
  const { state } = plan
  const all = spans.rows()
  const rows = all.length <= MOST_ROWS ? all : latest(all)
  return {
    plan: plan.id,
    from: iso(state.registeredAt),
    to: iso(isOver(state) ? state.at : host.parts.clock.now()),
    rows: rows.map(({ task, title, spans }) => ({
      task,
      title,
      spans: spans.map(({ kind, from, to, label }) => ({
        kind,
        from: iso(from),
        to: to === null ? null : iso(to),
        label,
      })),
    })),
    left_out: all.length - rows.length,
  }
}

/** In plan order, those with the latest beginnings. */
function latest<R extends { readonly spans: readonly { readonly from: number }[] }>(
  rows: readonly R[],
): readonly R[] {
  const begun = (row: R): number => row.spans.at(-1)?.from ?? 0
  const shown = new Set(rows.toSorted((a, b) => begun(b) - begun(a)).slice(0, MOST_ROWS))
  return rows.filter((row) => shown.has(row))
}
