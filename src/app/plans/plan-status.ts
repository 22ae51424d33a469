/** The status of all plans: plans, tasks, workers and inbox; the snapshot of the page; progress reports. */
import { baselineNotes } from '../../core/events/plan/baseline-lines.ts'
import { planRecord } from '../../core/decide/records.ts'
import { outcomeOf } from '../../core/decide/outcome.ts'
import { usedBy } from '../../core/state/spending.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import { STATUSES, statusOf } from '../../core/state/life.ts'
import { standing, heldBackForReview, type HeldBack } from '../../core/decide/standing.ts'
import type { Instant, TaskState } from '../../core/state/state.ts'
import { describeQueuePlace } from '../../core/scheduling/landing-queue.ts'
import { troublesIn, type TroubledEffect } from '../../core/decide/troubles.ts'
import type {
  InboxEntry,
  PlanAnswer,
  PlanRow,
  Pulse,
  StatusAnswer,
  TaskRow,
  Trouble,
  WorkerRow,
  ProgressAnswer,
} from '../../protocol/answers.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { HostedPlan } from '../host/hosted-plan.ts'
import { inboxOf } from '../inbox/inbox.ts'
import { damagedRows, damagedWorkers, unloadedItems } from '../inbox/answer-item.ts'
import { workerRows } from '../workers/worker-rows.ts'
import type { SnapshotAnswer } from '../../protocol/machine-answer.ts'
import type { Host } from '../host/host.ts'
import { progressReport } from '../../core/delivery/progress-report.ts'
import { iso } from '../../lib/text/format-time.ts'
import { pageOf, type Page } from '../../lib/page-of.ts'

type PlanStatus = Pick<StatusAnswer, 'plans' | 'tasks' | 'workers' | 'inbox'>

export function pulseOf({ heartbeat, damage }: HostToRead): Pulse {
  const { lastLoop, loopsCompleted, load } = heartbeat.beat
  return {
    last_loop: lastLoop === null ? null : iso(lastLoop),
    loops_completed: loopsCompleted,
    overloaded: load.overloaded,
    damage,
  }
}

export function statusOfPlans(host: HostToRead, plans: readonly HostedPlan[] = host.plans()): PlanStatus {
  const now = host.parts.clock.now()
  return {
    plans: plans.map((plan) => planRow(plan, now)),
    tasks: plans.flatMap((plan) => taskRows(plan, now)),
    workers: plans.flatMap((plan) => workerRows(plan, now)),
    inbox: inboxOf(host, plans),
  }
}

/** Everything, including workers without a plan. */
export const statusOfAll = (host: HostToRead): PlanStatus => ({
  ...statusOfPlans(host),
  plans: allPlanRows(host),
  workers: allWorkerRows(host),
  inbox: inboxOfAll(host),
})

/** Beside each plan that can be read its whole record. */
export function withRecords(host: HostToRead, status: PlanStatus): PlanStatus {
  const records = new Map(
    host.plans().map(({ id, home, state }) => [`${home.repository.path} ${id}`, planRecord(state)]),
  )
  const plans = status.plans.map((plan) => {
    const record = records.get(`${plan.repo} ${plan.id}`)
    return record === undefined ? plan : { ...plan, record }
  })
  return { ...status, plans }
}

/** Every worker, including those without a plan. */
export function allWorkerRows(host: HostToRead): readonly WorkerRow[] {
  const now = host.parts.clock.now()
  return [
    ...host.plans().flatMap((plan) => workerRows(plan, now)),
    ...damagedWorkers(host),
    ...host.adopted.rows().map(({ row }) => row),
  ]
}

export const allPlanRows = (host: HostToRead): readonly PlanRow[] => [
  ...host.plans().map((plan) => planRow(plan, host.parts.clock.now())),
  ...damagedRows(host),
]

/** All inbox items, including those of unloaded plans: blocking ones first, then the oldest. */
export function inboxOfAll(host: HostToRead): readonly InboxEntry[] {
  const unloaded = unloadedItems(host)
  if (unloaded.length === 0) return inboxOf(host)
  return [...unloaded, ...inboxOf(host)].sort(
    (a, b) => Number(b.blocking) - Number(a.blocking) || a.since.localeCompare(b.since),
  )
}

export function planRow(plan: HostedPlan, now: Instant): PlanRow {
  const { state, home, hindrance } = plan
  return {
    id: plan.id,
    title: state.plan.title,
    repo: home.repository.path,
    ...standing(state),
    ...(hindrance === null ? {} : { state: 'waiting', why: hindrance }),
    branch: branchOf(plan),
    counts: Object.fromEntries(STATUSES.map((status) => [status, state.counts[status]])),
    notes: baselineNotes(state),
    trouble: troubleRow(troublesIn(state, now).find(({ task }) => task === null)),
    usage: usageRecord(state.spending.total),
    thinking: thinkingOf(state),
  }
}

const thinkingOf = ({ thinking: { spent, ...counts } }: HostedPlan['state']): PlanRow['thinking'] =>
  counts.calls === 0 ? null : { ...counts, usage: usageRecord(spent) }

/** The working branch exists from the first commit on. */
function branchOf({ state, id }: HostedPlan): string | null {
  return state.release.sha !== null || hasCommit(state) ? `feat/${id}/working` : null
}

function hasCommit({ tasks }: HostedPlan['state']): boolean {
  for (const { commit } of tasks.values()) if (commit !== null) return true
  return false
}

const troubleRow = (trouble: TroubledEffect | undefined): Trouble | null =>
  trouble === undefined
    ? null
    : {
        what: trouble.what,
        reason: trouble.reason,
        failures: trouble.failures,
        retry_at: iso(trouble.retryAt),
      }

function checkRow(plan: HostedPlan, task: string): TaskRow['check'] {
  const check = plan.world.checkOf?.(task) ?? null
  if (check === null) return null
  const { command, startedAt, tests, lastMs } = check
  return { command, started_at: iso(startedAt), tests, last_ms: lastMs }
}

export function taskRows(
  plan: HostedPlan,
  now: Instant,
  tasks: readonly TaskState[] = [...plan.state.tasks.values()],
): readonly TaskRow[] {
  const troubles = new Map(troublesIn(plan.state, now).map((trouble) => [trouble.task, trouble]))
  return tasks.map((task) => ({
    plan: plan.id,
    repo: plan.home.repository.path,
    id: task.spec.id,
    title: task.spec.title,
    status: statusOf(task.step),
    stage: task.step,
    tier: task.tier,
    attempt: task.attempt,
    commit_sha: task.commit?.sha ?? null,
    since: iso(task.stepSince),
    check: task.step === 'gating' ? checkRow(plan, task.spec.id) : null,
    landing: describeQueuePlace(plan.state, task),
    trouble: troubleRow(troubles.get(task.spec.id)),
    usage: usageRecord(usedBy(task)),
  }))
}

/** One plan as an attached client sees it. */
export function reportOfPlan(host: HostToRead, plan: HostedPlan): Omit<PlanAnswer, 'seq'> {
  const { state } = plan
  return {
    ...statusOfPlans(host, [plan]),
    outcome: outcomeOf(state, host.parts.clock.now()),
    manifest: state.release.manifest,
    commits: [...state.tasks.values()].flatMap(({ spec, commit }) =>
      commit === null ? [] : [{ task: spec.id, sha: commit.sha }],
    ),
    parallel: state.settings.maxParallelAgents,
    version: state.version,
    text_version: state.documentedAt,
  }
}

/** What the page shows on every screen, true at a place in the event stream. It holds no tasks: a plan may have very many. */
export async function snapshotOf(host: Host): Promise<Omit<SnapshotAnswer, 'daemon'>> {
  // First: what happens meanwhile is in the stream after it.
  const seq = await host.parts.log.head()
  const [repositories, interviews] = await Promise.all([
    host.parts.repositories.list(),
    host.listInterviews().catch((error: unknown) => String(error)),
  ])
  const unreadable = host.unloaded.all().map(({ stream, why }) => ({ plan: stream, why }))
  const isKnown = typeof interviews !== 'string'
  return {
    pulse: pulseOf(host),
    plans: allPlanRows(host),
    workers: allWorkerRows(host),
    inbox: inboxOfAll(host),
    interviews: isKnown ? interviews : [],
    repositories: repositories.map(({ path }) => path).toReversed(),
    held_back: heldBack(host),
    unreadable: isKnown ? unreadable : [...unreadable, { plan: 'interviews', why: interviews }],
    seq,
  }
}

/** Of several plans the sum, each named. */
function heldBack(host: Host): HeldBack | null {
  const held = host.plans().flatMap(({ id, state }) => {
    const one = heldBackForReview(state)
    return one === null ? [] : [{ id, ...one }]
  })
  const [first, ...others] = held
  if (first === undefined) return null
  if (others.length === 0) return { waiting: first.waiting, most: first.most, text: first.text }
  const sum = (of: 'waiting' | 'most'): number => held.reduce((total, one) => total + one[of], 0)
  return {
    waiting: sum('waiting'),
    most: sum('most'),
    text: held.map(({ id, text }) => `${id}: ${text}`).join('; '),
  }
}

/** The progress of every open plan, as in a progress report. */
export function progressOf(host: HostToRead): ProgressAnswer['progress'] {
  return host
    .plans()
    .filter(({ state }) => standing(state).state !== 'done')
    .map(({ id, home, state }) => ({ plan: id, repo: home.repository.path, text: progressReport(state) }))
}

/** Lists over all plans, whole or a page at a time. Only the rows of a page are made. */
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
