/**
 * The coordination folders: other programs put check-ins, requests and answers there, and see alerts, workers and the state
 * of the watch. It runs once a loop, on a new file, and on events that show up in the files; a start is one more run.
 */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { Debounce } from '../../engine/debounce.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { Entry } from '../../ports/event-log.ts'
import type { Beat } from '../host/heartbeat.ts'
import type { Host } from '../host/host.ts'
import { streamParts } from '../host/stream-name.ts'
import { RepositoryFolder } from './repository-folder.ts'
import type { PmState } from '../../core/watch/checkins/coordination-files.ts'
import type { LiveWorker } from '../../core/state/state.ts'
import { FIRST_CHECKIN } from '../../core/watch/rules.ts'
import type { WatchMetrics } from '../../core/watch/metrics.ts'
import type { DaemonFacts, WorkerRow } from '../../protocol/answers.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { workerRows, type PlanWorkerRow } from '../workers/worker-rows.ts'
import { plansIn } from '../workers/live-workers.ts'
import { iso } from '../../lib/text/format-time.ts'

/** After something happened others come with it. */
const SOON_MS = 250

/** Events that show up in the files, or after which something else waits for a worker. */
const SHOWN: ReadonlySet<PlanEvent['type']> = new Set([
  'worker.started',
  'worker.ended',
  'worker.told',
  'worker.heard',
  'work.collected',
  'task.gated',
  'task.dispatched',
  'inbox.opened',
  'inbox.answered',
  'inbox.withdrawn',
  'request.received',
  'request.answered',
])

export class Coordination {
  readonly #host: Host
  readonly #all = new Map<string, RepositoryFolder>()
  readonly #queue = new SerialQueue()
  readonly #soon: Debounce
  #unsubscribe: () => void = () => undefined
  #closed = false

  constructor(host: Host) {
    this.#host = host
    const { clock, onError } = host.parts
    this.#soon = new Debounce(clock, () => {
      this.#sweep().catch((error: unknown) => onError('the coordination files', error))
    })
    host.heartbeat.add({
      name: 'coordination files',
      run: () => this.#sweep(),
      backlog: () => [...this.#all.values()].reduce((sum, { backlog }) => sum + backlog, 0),
    })
    host.heartbeat.listen((beat) => this.#writeStates(beat))
  }

  async open(): Promise<void> {
    const { log, onError } = this.#host.parts
    this.#unsubscribe = log.subscribe(
      await log.head(),
      (entries) => this.#take(entries.filter(isPlanEntry)),
      (error) => onError('the coordination files', error),
    )
  }

  /** Listens to the workers of a repository that leave files, and leaves files for them. */
  take(repository: string): void {
    this.#of(repository).placeMessages()
    this.#soon.ask(SOON_MS)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    this.#soon.cancel()
    await this.#queue.idle()
    await Promise.all([...this.#all.values()].map((folder) => folder.close()))
  }

  #of(repository: string): RepositoryFolder {
    const known = this.#all.get(repository)
    if (known !== undefined) return known
    const folder = new RepositoryFolder(this.#host, repository, () => this.#soon.ask(SOON_MS))
    this.#all.set(repository, folder)
    folder.start()
    return folder
  }

  #folders(): Iterable<RepositoryFolder> {
    for (const { home } of this.#host.plans()) this.#of(home.repository.id)
    return this.#all.values()
  }

  #sweep(): Promise<void> {
    return this.#queue.run(async () => {
      for (const folder of this.#folders()) if (!this.#closed) await folder.sweep()
    })
  }

  /** Once the plans that the entries are about have taken them in; the folders are there before a worker can be. */
  #take(entries: readonly Entry<PlanEvent>[]): void {
    const placed = entries.flatMap(({ stream, event }) => {
      const repository = streamParts(stream)?.repository
      return repository === undefined ? [] : [{ repository, event }]
    })
    for (const { repository, event } of placed) if (event.type === 'plan.registered') this.#of(repository)
    const shown = placed.filter(({ event }) => SHOWN.has(event.type))
    if (shown.length === 0) return
    setImmediate(() => {
      for (const { repository, event } of shown)
        if (event.type === 'worker.started') void this.#of(repository).noteStart(event.worker)
      for (const repository of new Set(shown.map((one) => one.repository))) this.take(repository)
    })
  }

  #writeStates(beat: Beat): void {
    const { daemon, onError } = this.#host.parts
    if (daemon === undefined) return
    this.#queue
      .run(async () => {
        for (const [repository, folder] of this.#all) {
          if (this.#closed) return
          const metrics = await this.#host.metrics.now(repository)
          await folder.writeState((before) =>
            pmStateOf(this.#host, repository, { daemon, beat, metrics }, before),
          )
        }
      })
      .catch((error: unknown) => onError('pm-state.json', error))
  }
}

/** The state of the watch for one repository, as `pm-state.json` has it. */
export type DaemonLoop = Pick<DaemonFacts, 'pid' | 'version' | 'started_at'>

/** Workers that have ended and are still listed. */
const MOST_ENDED = 200

type MonitoredWorker = PmState['monitored_workers'][string]

/** Of a worker that never checked in. */
const UNSEEN = { last_checkin: null, checkin_count: 0, warnings_sent: 0, interventions: [] }

function pmStateOf(
  host: Host,
  repository: string,
  {
    daemon,
    beat,
    metrics,
  }: { readonly daemon: DaemonLoop; readonly beat: Beat; readonly metrics: WatchMetrics },
  /** What was written last; null for the first time. */
  before: PmState | null,
): PmState {
  const now = host.parts.clock.now()
  const adopted = host.adopted.rows().filter((one) => one.repository === repository)
  const monitored = new Map([
    ...plansIn(host, repository).flatMap((plan) =>
      workerRows(plan, now).map((row) => [row.id, workerOfPlan(plan, row)] as const),
    ),
    ...adopted.map(({ row }) => [row.id, seenAs(row)] as const),
  ])
  const inHealth = (...wanted: readonly string[]): number =>
    [...monitored.values()].filter(({ health_state }) => wanted.includes(health_state)).length
  const { pid, version, started_at } = daemon
  const { completed_today, failed_today, interventions_today, success_rate } = metrics
  return {
    pm_daemon: {
      pid,
      started_at,
      last_loop: iso(beat.lastLoop ?? now),
      loops_completed: beat.loopsCompleted,
      version,
    },
    monitored_workers: Object.fromEntries([...endedOf(metrics, before), ...monitored]),
    metrics: {
      total_workers_monitored: monitored.size,
      healthy_count: inHealth('healthy', 'timeout_warning'),
      stalled_count: inHealth('stalled', 'zombie'),
      late_count: inHealth('late'),
      completed_today,
      failed_today,
      interventions_today,
      success_rate,
    },
  }
}

/** An adopted process does not check in; only its time limit is watched. */
const seenAs = ({ health, since, last_checkin, time_limit_at }: WorkerRow): MonitoredWorker => ({
  ...UNSEEN,
  registered_at: since,
  last_checkin,
  health_state: health as MonitoredWorker['health_state'],
  time_limit_at,
})

function workerOfPlan({ state, observed }: HostedPlan, row: PlanWorkerRow): MonitoredWorker {
  const live = state.tasks.get(row.task)?.live ?? null
  return {
    ...seenAs(row),
    checkin_count: observed?.workers.get(row.id)?.claim?.count ?? 0,
    ...(live === null ? {} : interventionsOf(live)),
  }
}

/** Of workers that ended within a day, the newest: as they were last seen, with what became of them. */
function endedOf({ ended }: WatchMetrics, before: PmState | null): readonly [string, MonitoredWorker][] {
  return ended.slice(-MOST_ENDED).map(({ worker, health, startedAt, endedAt }) => {
    const registered_at = iso(startedAt ?? endedAt)
    const seen = before?.monitored_workers[worker] ?? { ...UNSEEN, registered_at, time_limit_at: null }
    return [worker, { ...seen, health_state: health }]
  })
}

/** Warnings are counted, and all interventions are listed, the oldest first. */
function interventionsOf({ watch, stopCause }: LiveWorker) {
  const escalated = watch.escalatedAt === null ? [] : [['escalate', watch.escalatedAt] as const]
  const done = [...Object.entries(watch.sentAt), ...escalated]
    .filter(([about]) => about !== FIRST_CHECKIN)
    .toSorted(([, one], [, other]) => one - other)
    .map(([about]) => about)
  const extended = watch.extraMs > 0 ? [`extend ${watch.extraMs / 60_000} min`] : []
  return {
    warnings_sent: Object.keys(watch.sentAt).filter((about) => /^(?:limit|tool) /.test(about)).length,
    interventions: [...done, ...extended, ...(stopCause === null ? [] : [`stop: ${stopCause}`])],
  }
}
