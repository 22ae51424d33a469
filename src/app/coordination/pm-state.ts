/** The state of the watch for one repository, as `pm-state.json` has it. */
import type { PmState } from '../../core/watch/checkins/coordination-files.ts'
import { limitAt } from '../../core/watch/health.ts'
import { FIRST_CHECKIN } from '../../core/watch/rules.ts'
import type { WatchMetrics } from '../../core/watch/metrics.ts'
import type { DaemonFacts } from '../../protocol/answers.ts'
import type { AdoptedRow } from '../workers/adopted-workers.ts'
import type { Beat } from '../host/heartbeat.ts'
import type { Host } from '../host/host.ts'
import { workerRows } from '../workers/worker-rows.ts'
import { plansIn, workersIn, type WorkerAt } from './worker-at.ts'

export type DaemonLoop = Pick<DaemonFacts, 'pid' | 'version' | 'started_at'>

/** Workers that have ended and are still listed. */
const MOST_ENDED = 200

type MonitoredWorker = PmState['monitored_workers'][string]

/** Of a worker that never checked in. */
const UNSEEN = { last_checkin: null, checkin_count: 0, warnings_sent: 0, interventions: [] }

export function pmStateOf(
  host: Host,
  repository: string,
  {
    daemon,
    beat,
    metrics,
    before,
  }: {
    readonly daemon: DaemonLoop
    readonly beat: Beat
    readonly metrics: WatchMetrics
    /** What was written last; null for the first time. */
    readonly before: PmState | null
  },
): PmState {
  const now = host.parts.clock.now()
  const healths = new Map(
    plansIn(host, repository).flatMap((plan) => workerRows(plan, now).map((row) => [row.id, row.health])),
  )
  const monitored = [...workersIn(host, repository)].map((worker): [string, MonitoredWorker] => [
    worker.id,
    monitoredAs(worker, healths.get(worker.id) ?? 'healthy'),
  ])
  for (const adopted of host.adopted.rows())
    if (adopted.repository === repository) monitored.push([adopted.id, adoptedAs(adopted)])
  const inHealth = (...wanted: readonly string[]): number =>
    monitored.filter(([, { health_state }]) => wanted.includes(health_state)).length
  const { pid, version, started_at } = daemon
  return {
    pm_daemon: {
      pid,
      started_at,
      last_loop: new Date(beat.lastLoop ?? now).toISOString(),
      loops_completed: beat.loopsCompleted,
      version,
    },
    monitored_workers: Object.fromEntries([...endedOf(metrics, before), ...monitored]),
    metrics: {
      total_workers_monitored: monitored.length,
      healthy_count: inHealth('healthy', 'timeout_warning'),
      stalled_count: inHealth('stalled', 'zombie'),
      late_count: inHealth('late'),
      completed_today: metrics.completed_today,
      failed_today: metrics.failed_today,
      interventions_today: metrics.interventions_today,
      success_rate: metrics.success_rate,
    },
  }
}

function monitoredAs({ id, plan, task, live }: WorkerAt, health: string): MonitoredWorker {
  const { watch, since } = live
  const claim = plan.observed?.workers.get(id)?.claim ?? null
  return {
    registered_at: new Date(since).toISOString(),
    last_checkin: claim === null ? null : new Date(claim.at).toISOString(),
    checkin_count: claim?.count ?? 0,
    health_state: health as MonitoredWorker['health_state'],
    time_limit_at:
      live.step === 'launching' ? null : new Date(limitAt(task, live, plan.observed)).toISOString(),
    warnings_sent: Object.keys(watch.sentAt).filter((about) => /^(?:limit|tool) /.test(about)).length,
    interventions: interventionsOf(live),
  }
}

/** Of workers that ended within a day, the newest: as they were last seen, with what became of them. */
function endedOf({ ended }: WatchMetrics, before: PmState | null): readonly [string, MonitoredWorker][] {
  return ended.slice(-MOST_ENDED).map(({ worker, health, startedAt, endedAt }) => {
    const registered_at = new Date(startedAt ?? endedAt).toISOString()
    const seen = before?.monitored_workers[worker] ?? { ...UNSEEN, registered_at, time_limit_at: null }
    return [worker, { ...seen, health_state: health }]
  })
}

/** An adopted process does not check in; only its time limit is watched. */
const adoptedAs = ({ health, since, limitAt }: AdoptedRow): MonitoredWorker => ({
  ...UNSEEN,
  registered_at: new Date(since).toISOString(),
  health_state: health as MonitoredWorker['health_state'],
  time_limit_at: new Date(limitAt).toISOString(),
})

/** Interventions, the oldest first. */
function interventionsOf({ watch, stopCause }: WorkerAt['live']): string[] {
  const escalated = watch.escalatedAt === null ? [] : [['escalate', watch.escalatedAt] as const]
  const done = [...Object.entries(watch.sentAt), ...escalated]
    .filter(([about]) => about !== FIRST_CHECKIN)
    .toSorted(([, one], [, other]) => one - other)
    .map(([about]) => about)
  const extended = watch.extraMs > 0 ? [`extend ${watch.extraMs / 60_000} min`] : []
  return [...done, ...extended, ...(stopCause === null ? [] : [`stop: ${stopCause}`])]
}
