/** Running workers as rows: health, claims, and what was done about them. */
import type { Instant, LiveWorker, TaskState } from '../../core/state/state.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import { interventionLines, limitWarnings } from '../../core/watch/active-interventions.ts'
import { assess, limitAt, see, type LiveMoment } from '../../core/watch/health.ts'
import { lastSeen, NO_SIGNS } from '../../core/watch/observed.ts'
import { probedBy } from '../../core/watch/providers/parking.ts'
import { watchRules } from '../../core/watch/rules.ts'
import type { WorkerRow } from '../../protocol/answers.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { iso } from '../../lib/text/format-time.ts'

/** For a worker that never checked in. */
export const NO_CLAIM = {
  last_checkin: null,
  progress_pct: null,
  current_step: null,
  next_step: null,
  time_remaining: null,
  issues: [],
} as const

/** For a worker that no plan drives. */
export const NOTHING_KNOWN = {
  task_title: null,
  agent: null,
  model: null,
  usage: null,
  observed_at: null,
  warnings: [],
  interventions: [],
} as const

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
    const { id, title: task_title } = task.spec
    const whose = { plan: plan.id, repo: plan.home.repository.path, task: id, task_title }
    const row = { id: worker, ...whose, role, attempt, ...healthOf(plan, { task, live }, now) }
    const time_limit_at = live.step === 'launching' ? null : iso(limitAt(task, live, plan.observed))
    const usage = usageRecord(live.used)
    const noted = notesOn(plan, { task, live }, now)
    return [{ ...row, pid, since: iso(since), ...claimOf(plan, worker), time_limit_at, usage, ...noted }]
  })
}

/** What Bosun knows of it besides its health. */
function notesOn(
  plan: HostedPlan,
  { task, live }: Pick<LiveMoment, 'live'> & { readonly task: TaskState },
  now: Instant,
) {
  const { state, observed } = plan
  const seenAt = lastSeen(observed?.workers.get(live.worker) ?? NO_SIGNS)
  return {
    agent: live.agent,
    model: live.model ?? null,
    observed_at: seenAt === null ? null : iso(seenAt),
    warnings: limitWarnings(live),
    interventions: observed === null ? [] : interventionLines(state, task, { now, observed, live }),
  }
}

function claimOf(plan: HostedPlan, worker: string) {
  const claim = plan.claimOf(worker)
  if (claim === null) return NO_CLAIM
  const { at, percent, step, nextStep, timeRemaining, issues } = claim
  return {
    last_checkin: iso(at),
    progress_pct: percent,
    current_step: step,
    next_step: nextStep,
    time_remaining: timeRemaining,
    issues,
  }
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
