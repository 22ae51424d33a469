/** The status of all plans: plans, tasks, workers and inbox. */
import { baselineNotes } from '../../core/events/plan/baseline-lines.ts'
import { outcomeOf, type Outcome } from '../../core/decide/outcome.ts'
import { STATUSES, statusOf, type Status, type Step } from '../../core/state/life.ts'
import type { Tier } from '../../core/planning/plan.ts'
import { standing, type Standing } from '../../core/decide/standing.ts'
import type { Instant, TaskState } from '../../core/state/state.ts'
import { describeQueuePlace } from '../../core/scheduling/landing-queue.ts'
import { troublesIn, type TroubledEffect } from '../../core/decide/troubles.ts'
import { assess, limitAt, see } from '../../core/watch/health.ts'
import { probedBy } from '../../core/watch/providers/parking.ts'
import { watchRules } from '../../core/watch/rules.ts'
import type { AdoptedRow } from '../workers/adopted-workers.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { inboxOf, type InboxEntry } from '../inbox/inbox.ts'
import { damagedRows, damagedWorkers, unloadedItems } from '../inbox/unloaded-items.ts'

export interface PlanRow {
  readonly id: string
  /** Path of the repository. */
  readonly repo: string
  /** `damaged`: its events cannot be read. */
  readonly state: Standing | 'damaged'
  readonly why: string
  /** Null until something is committed. */
  readonly branch: string | null
  readonly counts: Readonly<Record<Status, number>>
  /** Findings of the baseline, a line each. */
  readonly notes: readonly string[]
  /** The retried effect of the plan as a whole; null without one. */
  readonly trouble: TroubleRow | null
}

export interface TaskRow {
  readonly plan: string
  /** Path of the repository; plans of two may have the same id. */
  readonly repo: string
  readonly id: string
  readonly title: string
  readonly status: Status
  readonly stage: Step
  readonly tier: Tier
  readonly attempt: number
  readonly commit_sha: string | null
  /** When it entered its stage; ISO 8601. */
  readonly since: string
  /** The command that its gates run at this moment; null where none runs. */
  readonly check: {
    readonly command: string
    readonly started_at: string
    readonly tests: number
    readonly last_ms: number | null
  } | null
  /** Its place in the landing queue as text; null if it is not in the queue. */
  readonly landing: string | null
  /** Its retried effect; null without one. */
  readonly trouble: TroubleRow | null
}

/** A failed effect that is retried. */
export interface TroubleRow {
  readonly what: string
  readonly reason: string
  readonly failures: number
  readonly retry_at: string
}

export interface WorkerRow {
  readonly id: string
  /** Null for a process that Bosun did not start; its task also where the plan is damaged. */
  readonly plan: string | null
  readonly repo: string | null
  readonly task: string | null
  readonly role: string
  readonly attempt: number
  readonly health: string
  readonly reason: string
  readonly pid: number | null
  readonly since: string
  /** From its last claim: time, progress and step. */
  readonly last_checkin: string | null
  readonly progress_pct: number | null
  readonly current_step: string | null
  /** Its own estimate of the remaining time. */
  readonly time_remaining: string | null
  /** When its time is up; null while it starts. */
  readonly time_limit_at: string | null
}

export interface PlanStatus {
  readonly plans: readonly PlanRow[]
  readonly tasks: readonly TaskRow[]
  readonly workers: readonly WorkerRow[]
  readonly inbox: readonly InboxEntry[]
}

/** The health of the daemon itself. */
export interface Pulse {
  readonly last_loop: string | null
  readonly loops_completed: number
  readonly overloaded: string | null
  /** A problem with the whole database, and the remedy; null without one. */
  readonly damage: string | null
}

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
export function statusOfAll(host: HostToRead): PlanStatus {
  const status = statusOfPlans(host)
  return {
    ...status,
    plans: allPlanRows(host),
    workers: [...status.workers, ...damagedWorkers(host), ...host.adopted.rows().map(adoptedRow)],
    inbox: inboxOfAll(host),
  }
}

export const allPlanRows = (host: HostToRead): readonly PlanRow[] => [
  ...host.plans().map((plan) => planRow(plan, host.parts.clock.now())),
  ...damagedRows(host),
]

/** All inbox items, including those of unloaded plans. */
export function inboxOfAll(host: HostToRead): readonly InboxEntry[] {
  return [...unloadedItems(host), ...inboxOf(host)]
}

export function adoptedRow({ id, health, reason, pid, since, limitAt }: AdoptedRow): WorkerRow {
  return {
    id,
    plan: null,
    repo: null,
    task: null,
    role: 'adopted',
    attempt: 1,
    health,
    reason,
    pid,
    since: iso(since),
    last_checkin: null,
    progress_pct: null,
    current_step: null,
    time_remaining: null,
    time_limit_at: iso(limitAt),
  }
}

export function planRow(plan: HostedPlan, now: Instant): PlanRow {
  const { state, home, hindrance } = plan
  const counts = Object.fromEntries(STATUSES.map((status) => [status, state.counts[status]]))
  return {
    id: plan.id,
    repo: home.repository.path,
    ...standing(state),
    ...(hindrance === null ? {} : { state: 'waiting', why: hindrance }),
    branch: branchOf(plan),
    counts: counts as Record<Status, number>,
    notes: baselineNotes(state),
    trouble: troubleRow(troublesIn(state, now).find(({ task }) => task === null)),
  }
}

/** The working branch exists from the first commit on. */
function branchOf({ state, id }: HostedPlan): string | null {
  const isThere = state.release.sha !== null || [...state.tasks.values()].some((task) => task.commit !== null)
  return isThere ? `feat/${id}/working` : null
}

const troubleRow = (trouble: TroubledEffect | undefined): TroubleRow | null =>
  trouble === undefined
    ? null
    : {
        what: trouble.what,
        reason: trouble.reason,
        failures: trouble.failures,
        retry_at: iso(trouble.retryAt),
      }

function checkRow(plan: HostedPlan, task: string): TaskRow['check'] {
  const check = plan.checkOf(task)
  if (check === null) return null
  const { command, startedAt, tests, lastMs } = check
  return { command, started_at: iso(startedAt), tests, last_ms: lastMs }
}

export function taskRows(plan: HostedPlan, now: Instant): readonly TaskRow[] {
  const troubles = new Map(troublesIn(plan.state, now).map((trouble) => [trouble.task, trouble]))
  return [...plan.state.tasks.values()].map((task) => ({
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
  }))
}

/** A worker of a plan has a task there. */
export interface PlanWorkerRow extends WorkerRow {
  readonly plan: string
  readonly task: string
}

export function workerRows(plan: HostedPlan, now: Instant): readonly PlanWorkerRow[] {
  return [...plan.state.active].flatMap((task) => {
    const { live } = task
    if (live === null) return []
    const { worker, role, attempt, since } = live
    const pid = plan.workerFacts(worker)?.pid ?? null
    const whose = { plan: plan.id, repo: plan.home.repository.path, task: task.spec.id }
    const row = { id: worker, ...whose, role, attempt, ...healthOf(plan, task, now) }
    const time_limit_at = live.step === 'launching' ? null : iso(limitAt(task, live, plan.observed))
    return [{ ...row, pid, since: iso(since), ...claimOf(plan, worker), time_limit_at }]
  })
}

function claimOf(plan: HostedPlan, worker: string) {
  const claim = plan.claimOf(worker)
  return {
    last_checkin: claim === null ? null : iso(claim.at),
    progress_pct: claim?.percent ?? null,
    current_step: claim?.step ?? null,
    time_remaining: claim?.timeRemaining ?? null,
  }
}

function healthOf(
  plan: HostedPlan,
  task: TaskState,
  now: Instant,
): { readonly health: string; readonly reason: string } {
  const { live } = task
  if (live !== null && !plan.isDriven) return healthAtRest(plan, live)
  switch (live?.step) {
    case 'launching':
      return { health: 'healthy', reason: 'being started' }
    case 'stopping':
      return {
        health: live.stopCause === 'stalled' ? 'stalled' : 'stopping',
        reason: `being stopped: ${(live.stopCause ?? 'cancelled').replaceAll('_', ' ')}`,
      }
    case 'working': {
      const { observed } = plan
      if (observed === null) return { health: live.watch.health, reason: 'at work' }
      const rules = watchRules(plan.state.settings)
      const { health, why } = assess(see(task, live, rules, { now, observed }), rules)
      const probed = probedBy(plan.state, live.worker)
      return { health, reason: probed === null ? why : `${why}; it ${probed}` }
    }
    case undefined:
      return { health: 'healthy', reason: 'at work' }
  }
}

/** For a worker without a daemon: its process can still be checked. */
function healthAtRest(
  plan: HostedPlan,
  { worker, watch }: NonNullable<TaskState['live']>,
): { readonly health: string; readonly reason: string } {
  const facts = plan.workerFacts(worker)
  if (facts === null) return { health: watch.health, reason: 'not watched, no daemon is running' }
  return facts.pid === null
    ? { health: 'ended', reason: 'exited; the next daemon collects its work' }
    : { health: watch.health, reason: 'running; not watched, no daemon is running' }
}

/** One plan as an attached client sees it. */
export interface PlanReport extends PlanStatus {
  readonly outcome: Outcome
  readonly manifest: string | null
  readonly commits: readonly { readonly task: string; readonly sha: string }[]
  /** How many tasks run at once at most. */
  readonly parallel: number
  /** How many events it has. */
  readonly version: number
}

export function reportOfPlan(host: HostToRead, plan: HostedPlan): PlanReport {
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
  }
}

const iso = (at: Instant): string => new Date(at).toISOString()
