/** Where every plan stands: plans, tasks, workers and what waits for a person, as all doors show it. */
import { baselineNotes } from '../core/delivery/baseline-lines.ts'
import { outcomeOf, type Outcome } from '../core/delivery/outcome.ts'
import { STATUSES, statusOf, type Status, type Step } from '../core/life.ts'
import type { Tier } from '../core/planning/plan.ts'
import { standing, type Standing } from '../core/scheduling/standing.ts'
import type { Instant, TaskState } from '../core/state.ts'
import type { Host } from './host/host.ts'
import type { HostedPlan } from './host/hosted-plan.ts'
import { inboxOf, type InboxEntry } from './inbox.ts'

export interface PlanRow {
  readonly id: string
  /** Path of the repository. */
  readonly repo: string
  readonly state: Standing
  readonly why: string
  /** Null until something is committed. */
  readonly branch: string | null
  readonly counts: Readonly<Record<Status, number>>
  /** What the first look at the repository found, a line each. */
  readonly notes: readonly string[]
}

export interface TaskRow {
  readonly plan: string
  readonly id: string
  readonly title: string
  readonly status: Status
  readonly stage: Step
  readonly tier: Tier
  readonly attempt: number
  readonly commit_sha: string | null
  /** When it entered its stage; ISO 8601. */
  readonly since: string
}

export interface WorkerRow {
  readonly id: string
  readonly plan: string
  readonly task: string
  readonly role: string
  readonly attempt: number
  readonly health: string
  readonly reason: string
  readonly pid: number | null
  readonly since: string
}

export interface PlanStatus {
  readonly plans: readonly PlanRow[]
  readonly tasks: readonly TaskRow[]
  readonly workers: readonly WorkerRow[]
  readonly inbox: readonly InboxEntry[]
}

export function statusOfPlans(host: Host, plans: readonly HostedPlan[] = host.plans()): PlanStatus {
  return {
    plans: plans.map(planRow),
    tasks: plans.flatMap(taskRows),
    workers: plans.flatMap(workerRows),
    inbox: inboxOf(host, plans),
  }
}

export function planRow(plan: HostedPlan): PlanRow {
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
  }
}

/** The working branch is there from the first commit on. */
function branchOf({ state, id }: HostedPlan): string | null {
  const isThere = state.release.sha !== null || [...state.tasks.values()].some((task) => task.commit !== null)
  return isThere ? `feat/${id}/working` : null
}

export function taskRows(plan: HostedPlan): readonly TaskRow[] {
  return [...plan.state.tasks.values()].map((task) => ({
    plan: plan.id,
    id: task.spec.id,
    title: task.spec.title,
    status: statusOf(task.step),
    stage: task.step,
    tier: task.tier,
    attempt: task.attempt,
    commit_sha: task.commit?.sha ?? null,
    since: iso(task.stepSince),
  }))
}

export function workerRows(plan: HostedPlan): readonly WorkerRow[] {
  return [...plan.state.active].flatMap((task) => {
    const { live } = task
    if (live === null) return []
    const { worker, role, attempt, since } = live
    const pid = plan.workerFacts(worker)?.pid ?? null
    const row = { id: worker, plan: plan.id, task: task.spec.id, role, attempt, ...healthOf(task) }
    return [{ ...row, pid, since: iso(since) }]
  })
}

function healthOf({ live }: TaskState): { readonly health: string; readonly reason: string } {
  switch (live?.step) {
    case 'launching':
      return { health: 'healthy', reason: 'being started' }
    case 'stopping':
      return {
        health: live.stopCause === 'stalled' ? 'stalled' : 'stopping',
        reason: `being stopped: ${(live.stopCause ?? 'cancelled').replaceAll('_', ' ')}`,
      }
    case 'working':
    case undefined:
      return { health: 'healthy', reason: 'at work' }
  }
}

/** One plan as whoever is attached to it sees it. */
export interface PlanReport extends PlanStatus {
  readonly outcome: Outcome
  readonly manifest: string | null
  readonly commits: readonly { readonly task: string; readonly sha: string }[]
  /** How many tasks run at once at most. */
  readonly parallel: number
  /** How many events it has. */
  readonly version: number
}

export function reportOfPlan(host: Host, plan: HostedPlan): PlanReport {
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
