/** The status of all plans: plans, tasks, workers and inbox. */
import { baselineNotes } from '../../core/events/plan/baseline-lines.ts'
import { outcomeOf } from '../../core/decide/outcome.ts'
import { usedBy } from '../../core/state/spending.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import { STATUSES, statusOf } from '../../core/state/life.ts'
import { standing } from '../../core/decide/standing.ts'
import type { Instant, LiveWorker, TaskState } from '../../core/state/state.ts'
import { describeQueuePlace } from '../../core/scheduling/landing-queue.ts'
import { troublesIn, type TroubledEffect } from '../../core/decide/troubles.ts'
import { assess, limitAt, see } from '../../core/watch/health.ts'
import { probedBy } from '../../core/watch/providers/parking.ts'
import { watchRules } from '../../core/watch/rules.ts'
import type {
  InboxEntry,
  PlanAnswer,
  PlanRow,
  Pulse,
  StatusAnswer,
  TaskRow,
  Trouble,
  WorkerRow,
} from '../../protocol/answers.ts'
import type { AdoptedRow } from '../workers/adopted-workers.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { inboxOf } from '../inbox/inbox.ts'
import { damagedRows, damagedWorkers, NO_CLAIM, unloadedItems } from '../inbox/unloaded-items.ts'

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
    ...NO_CLAIM,
    time_limit_at: iso(limitAt),
  }
}

export function planRow(plan: HostedPlan, now: Instant): PlanRow {
  const { state, home, hindrance } = plan
  return {
    id: plan.id,
    repo: home.repository.path,
    ...standing(state),
    ...(hindrance === null ? {} : { state: 'waiting', why: hindrance }),
    branch: branchOf(plan),
    counts: Object.fromEntries(STATUSES.map((status) => [status, state.counts[status]])),
    notes: baselineNotes(state),
    trouble: troubleRow(troublesIn(state, now).find(({ task }) => task === null)),
    usage: usageRecord(state.spending.total),
    ...thinkingOf(state),
  }
}

function thinkingOf({ thinking: { spent, ...counts } }: HostedPlan['state']): Pick<PlanRow, 'thinking'> {
  return counts.calls === 0 ? {} : { thinking: { ...counts, usage: usageRecord(spent) } }
}

/** The working branch exists from the first commit on. */
function branchOf({ state, id }: HostedPlan): string | null {
  const isThere = state.release.sha !== null || [...state.tasks.values()].some((task) => task.commit !== null)
  return isThere ? `feat/${id}/working` : null
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

function taskRows(plan: HostedPlan, now: Instant): readonly TaskRow[] {
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
    usage: usageRecord(usedBy(task)),
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
    const pid = plan.world.pidOf?.(worker) ?? null
    const whose = { plan: plan.id, repo: plan.home.repository.path, task: task.spec.id }
    const row = { id: worker, ...whose, role, attempt, ...healthOf(plan, { task, live }, now) }
    const time_limit_at = live.step === 'launching' ? null : iso(limitAt(task, live, plan.observed))
    const usage = usageRecord(live.used)
    return [{ ...row, pid, since: iso(since), ...claimOf(plan, worker), time_limit_at, usage }]
  })
}

function claimOf(plan: HostedPlan, worker: string) {
  const claim = plan.claimOf(worker)
  if (claim === null) return NO_CLAIM
  const { at, percent, step, timeRemaining } = claim
  return { last_checkin: iso(at), progress_pct: percent, current_step: step, time_remaining: timeRemaining }
}

function healthOf(
  plan: HostedPlan,
  { task, live }: { readonly task: TaskState; readonly live: LiveWorker },
  now: Instant,
): { readonly health: string; readonly reason: string } {
  const { observed } = plan
  if (observed === null) return healthAtRest(plan, live)
  switch (live.step) {
    case 'launching':
      return { health: 'healthy', reason: 'being started' }
    case 'stopping':
      return {
        health: live.stopCause === 'stalled' ? 'stalled' : 'stopping',
        reason: `being stopped: ${(live.stopCause ?? 'cancelled').replaceAll('_', ' ')}`,
      }
    case 'working': {
      const rules = watchRules(plan.state.settings)
      const { health, why } = assess(see(task, live, rules, { now, observed }), rules)
      const probed = probedBy(plan.state, live.worker)
      return { health, reason: probed === null ? why : `${why}; it ${probed}` }
    }
  }
}

/** For a worker without a daemon: its process can still be checked. */
function healthAtRest(
  plan: HostedPlan,
  { worker, watch }: LiveWorker,
): { readonly health: string; readonly reason: string } {
  const pid = plan.world.pidOf?.(worker)
  if (pid === undefined) return { health: watch.health, reason: 'not watched, no daemon is running' }
  return pid === null
    ? { health: 'ended', reason: 'exited; the next daemon collects its work' }
    : { health: watch.health, reason: 'running; not watched, no daemon is running' }
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
  }
}

const iso = (at: Instant): string => new Date(at).toISOString()
