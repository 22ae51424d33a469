/**
 * Drives many plans of many repositories. It loads the open plans of the log and lets each do what it owes, which is also
 * all that a restart after a crash needs. The use cases are in the folders beside this one.
 */
import { join } from 'node:path'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import { OVERLOAD_LIMITS, type OverloadLimits } from '../../core/watch/overload.ts'
import { refusal } from '../../lib/refusal.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { watchLoopLag, type LoopLag } from '../../lib/system/loop-lag.ts'
import type { NoteLog } from '../../ports/note-log.ts'
import type { Transcripts } from '../../ports/transcript.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog, StreamId } from '../../ports/event-log.ts'
import type { Repositories, Repository } from '../../ports/repositories.ts'
import { CheckinIntake } from '../checkins/checkin-intake.ts'
import { Coordination, type DaemonLoop } from '../coordination/coordination.ts'
import type { Interviews } from '../interview/interviews.ts'
import { ActivityMirror } from '../coordination/activity-mirror.ts'
import { Notes } from '../activity/read-activity.ts'
import { LiveNotices, type HostToRead, type LivingWorkers, type MachineIn } from './host-to-read.ts'
import { AdoptedWorkers } from '../workers/adopted-workers.ts'
import { DayMetrics } from '../workers/day-metrics.ts'
import { loadPlan, planLogOf } from '../../engine/plan-log.ts'
import { interviewParts } from '../interview/interview-stream.ts'
import { refuseUnknown, repositoryAt, streamNamed, streamOf, streamParts } from './stream-name.ts'
import { Heartbeat, type Beat } from './heartbeat.ts'
import { HostedPlan, isOver, SHOWN_MS } from './hosted-plan.ts'
import { LiveWorkers, workerToken } from '../workers/live-workers.ts'
import { forgetPlanEnvironments } from './plan-environment.ts'
import { hidingSecrets } from './hidden-log.ts'
import { readDocument, type PlanDocument, type PlanPlace, type WorldFor, type Worlds } from './plan-place.ts'
import { exchange, passOn, type Sharing } from './shared-limits.ts'
import { UnloadedPlans, unloadedRefusal, undamaged } from './unloaded-plans.ts'

export interface HostParts extends Worlds {
  /** The state root. */
  readonly root: string
  readonly clock: Clock
  readonly log: EventLog<LogEvent>
  readonly repositories: Repositories
  readonly notes: NoteLog
  readonly livingWorkers?: LivingWorkers | undefined
  readonly transcripts?: Transcripts | undefined
  /** Absent where nothing is looked at. */
  readonly machineIn?: MachineIn | undefined
  /** Opens the interviews of all repositories; absent where there are none. */
  readonly openInterviews?: ((host: Host) => Promise<Interviews>) | undefined
  /** Notifies people; absent where they are not. */
  readonly openNotices?: ((host: Host) => Promise<{ close(): Promise<void> } | null>) | undefined
  /** The daemon that this host belongs to, for `pm-state.json`; absent where there is none. */
  readonly daemon?: DaemonLoop | undefined
  /** The secret from which the workers' tokens are derived. */
  readonly secret: string
  /** Of all secrets that the daemon holds, for what belongs to no plan; none are held if absent. */
  readonly hide?: Redactor | undefined
  /** For the daemon log; has no effect on decisions. */
  readonly onError: (what: string, error: unknown) => void
  readonly watch?: WatchPace | undefined
  /** The problem that a check of the whole database found; null without one. Never rejects. */
  readonly damage?: Promise<string | null> | undefined
}

/** How often the daemon loops, and when it counts as overloaded. */
export interface WatchPace {
  readonly loopMs?: number | undefined
  readonly overload?: OverloadLimits | undefined
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs?: number | undefined
}

const LOOP_MS = 15_000
/** Looping more often gains nothing. */
const LEAST_LOOP_MS = 200

const wantedLoop = ({ state }: HostedPlan): number => state.settings.watch.loopMs
const GRACE_MS = 10_000

interface ReadPlan {
  readonly plan: HostedPlan
  readonly document: PlanDocument | null
}

export class Host implements HostToRead {
  readonly parts: HostParts
  readonly notes: Notes
  readonly mirror: ActivityMirror
  readonly heartbeat: Heartbeat
  readonly adopted: AdoptedWorkers
  readonly metrics: DayMetrics
  /** Plans are registered one at a time, so that the same one is never started twice. */
  readonly registrations = new SerialQueue()
  /** The running workers of all plans. */
  readonly workers: LiveWorkers
  readonly checkins: CheckinIntake
  readonly liveNotices = new LiveNotices()
  readonly #plans = new Map<StreamId, HostedPlan>()
  readonly #coordination: Coordination
  /** Plans of the log that could not be loaded. */
  readonly unloaded = new UnloadedPlans()
  #damage: string | null = null
  #interviews: Promise<Interviews> | null = null
  #isClosing = false
  #notices: { close(): Promise<void> } | null = null
  readonly #lag: LoopLag
  readonly #sharing: Sharing

  private constructor(
    parts: HostParts,
    { notes, mirror, adopted }: Pick<Host, 'notes' | 'mirror' | 'adopted'>,
  ) {
    const { clock, onError, watch } = parts
    this.parts = parts
    this.notes = notes
    this.mirror = mirror
    this.adopted = adopted
    this.#lag = watchLoopLag()
    this.#sharing = { plans: () => this.plans(), onError }
    this.heartbeat = new Heartbeat({
      clock,
      loopMs: () => watch?.loopMs ?? this.#loopMs(),
      limits: watch?.overload ?? OVERLOAD_LIMITS,
      takeLag: () => this.#lag.take(),
      onError,
    })
    // First: the ends of workers that only their time limit stops.
    this.heartbeat.add({ name: 'adopted workers', run: () => adopted.look() })
    const retryDue = async (): Promise<void> => {
      for (const stream of this.unloaded.due(clock.now())) await this.retry(stream)
    }
    this.heartbeat.add({ name: 'unloaded plans', run: retryDue })
    // Between registrations, which write them before their plan is there; the loop does not wait for that.
    const forgetEnvironments = async (): Promise<void> => {
      void this.registrations
        .run(async () => this.#forgetEnvironments())
        .catch((error: unknown) => onError('deleting environments of ended plans', error))
    }
    this.heartbeat.add({ name: 'environments', run: forgetEnvironments })
    this.heartbeat.listen((beat, before) => this.#reportLoad(beat, before))
    void parts.damage?.then((found) => (this.#damage = found))
    this.metrics = new DayMetrics(parts)
    this.workers = new LiveWorkers(this)
    this.checkins = new CheckinIntake(this)
    this.#coordination = new Coordination(this)
  }

  /** They hold keys: those of plans that have ended are deleted. A plan that could not be loaded may need its own. */
  #forgetEnvironments(): void {
    forgetPlanEnvironments(this.parts.root, (stream) => {
      const plan = this.#plans.get(stream)
      return plan === undefined ? this.unloaded.get(stream) !== undefined : !isOver(plan.state)
    })
  }

  /** The shortest interval that any plan asks for. */
  #loopMs(): number {
    const open = [...this.#plans.values()].filter(({ state }) => !isOver(state))
    return Math.max(LEAST_LOOP_MS, Math.min(LOOP_MS, ...open.map((plan) => wantedLoop(plan))))
  }

  static async open(parts: HostParts): Promise<Host> {
    const { root, log, onError } = parts
    const notes = new Notes(parts)
    const mirror = await ActivityMirror.open(parts, notes)
    const { clock, repositories, watch } = parts
    const adopted = await AdoptedWorkers.open({
      root,
      clock,
      repositories,
      onError,
      graceMs: watch?.graceMs ?? GRACE_MS,
      note: (note) => notes.add(note),
    })
    const host = new Host(parts, { notes, mirror, adopted })
    await host.checkins.load()
    await host.#coordination.open()
    const streams = (await log.streams({ open: true })).map(({ stream }) => stream)
    for (const stream of streams) if (interviewParts(stream) === null) await host.#load(stream)
    host.heartbeat.start()
    host.#notices = (await parts.openNotices?.(host)) ?? null
    // An interview that is open goes on; the start does not wait for it.
    if (parts.openInterviews !== undefined && streams.some((stream) => interviewParts(stream) !== null))
      void host.interviews().catch((error: unknown) => onError('the interviews', error))
    return host
  }

  /** Loaded with the first call, so that a daemon without an interview stays small. */
  async interviews(): Promise<Interviews> {
    const { openInterviews } = this.parts
    if (openInterviews === undefined || this.#isClosing)
      throw refusal(
        'failed',
        this.#isClosing ? 'the daemon is stopping' : 'there are no interviews here',
        'Try again: commands start the daemon where none runs.',
      )
    this.#interviews ??= openInterviews(this)
    try {
      return await this.#interviews
    } catch (error) {
      // The next call tries again.
      this.#interviews = null
      throw error
    }
  }

  /** Those that are open in this daemon; looking loads nothing. Rejects if they cannot be loaded. */
  async listInterviews(): Promise<ReturnType<Interviews['list']>> {
    return (await this.#interviews)?.list() ?? []
  }

  /** The known problem of the whole database; null without one. */
  get damage(): string | null {
    return this.#damage
  }

  /** In order of registration. */
  plans(): readonly HostedPlan[] {
    return [...this.#plans.values()].sort((a, b) => a.state.registeredAt - b.state.registeredAt)
  }

  /** Whether this plan is still the one hosted under its name. */
  isHosted(plan: HostedPlan): boolean {
    return this.#plans.get(plan.home.stream) === plan
  }

  /** Tries again to load an unloaded plan. */
  retry(stream: StreamId): Promise<void> {
    return this.registrations.run(async () => {
      if (this.unloaded.get(stream) !== undefined) await this.#load(stream)
    })
  }

  /** The hosted plan of this stream. */
  hosted(stream: StreamId): HostedPlan | null {
    return this.#plans.get(stream) ?? null
  }

  /** The plan of this stream, even if closed long ago; null if there never was one. Throws a refusal for an unloaded plan. */
  async plan(stream: StreamId): Promise<HostedPlan | null> {
    const known = this.hosted(stream)
    if (known !== null) return known
    const unloaded = this.unloaded.get(stream)
    if (unloaded !== undefined) throw unloadedRefusal(unloaded)
    const closed = await this.parts.log.streams({ open: false })
    if (!closed.some((info) => info.stream === stream)) return null
    return (await this.#readOnly(stream)).plan
  }

  /** The plan with this name; `repository` decides between several. Throws a refusal without one. */
  async find(id: string, repository?: string): Promise<HostedPlan> {
    return (await this.plan(await this.named(id, repository))) ?? refuseUnknown(id)
  }

  /** The stream of the plan with this name, loaded or not. Throws a refusal without one. */
  named(id: string, repository?: string): Promise<StreamId> {
    return streamNamed(this.parts.log, id, repository)
  }

  /** The id of the repository at this path; undefined if it has no plans. */
  repositoryAt(path: string | undefined): Promise<string | undefined> {
    return repositoryAt(this.parts.repositories, path)
  }

  /** Repository, folder, settings and tokens for a plan. */
  place(
    repository: Repository,
    { plan, baseline, tasks }: Pick<PlanPlace, 'plan' | 'tasks'> & Pick<HostedPlan['state'], 'baseline'>,
    document: PlanDocument,
  ): PlanPlace {
    const { root, secret } = this.parts
    const stream = streamOf(repository.id, plan.id)
    const folder = join(root, 'repos', repository.id)
    const tokenOf = (worker: string): string => workerToken(secret, stream, worker)
    const hasBegun = baseline !== null
    return { repository, folder, plan, tasks, document, hasBegun, tokenOf, userToken: secret }
  }

  /** Starts driving a plan of the log. */
  async load(stream: StreamId, place: PlanPlace, world: Awaited<ReturnType<WorldFor>>): Promise<HostedPlan> {
    const { clock, log, onError } = this.parts
    const home = { stream, repository: place.repository, sha256: place.document.sha256 }
    const trouble = (what: string, error: unknown): void => onError(`${stream}: ${what}`, error)
    const onWritten = (events: readonly PlanEvent[]): void => passOn(this.#sharing, stream, events)
    const clean = world.hide === undefined ? log : hidingSecrets(log, world.hide)
    const driven = { clock, log: planLogOf(clean), world, stream, onWritten, onError: trouble }
    const plan = await HostedPlan.drive(home, driven)
    if (this.heartbeat.isOverloaded) plan.engine?.setOverloaded(true)
    this.#plans.set(stream, plan)
    exchange(this.#sharing, plan)
    this.checkins.recall(plan)
    this.#coordination.take(place.repository.id)
    return plan
  }

  /** Loads the plan again as after a restart, from its document as it is now. */
  async reload(plan: HostedPlan): Promise<HostedPlan> {
    await plan.close()
    return this.#drive(await this.#readOnly(plan.home.stream))
  }

  async #drive({ plan, document }: ReadPlan): Promise<HostedPlan> {
    if (document === null) throw new Error('its plan text was not kept')
    const tasks = [...plan.state.tasks.values()].map(({ spec }) => spec)
    const place = this.place(plan.home.repository, { ...plan.state, tasks }, document)
    return this.load(plan.home.stream, place, await this.parts.worldFor(place))
  }

  /** Stops driving plans and writing; workers go on. */
  async close(): Promise<void> {
    this.#isClosing = true
    // First: an approved spec becomes a plan, which is registered here.
    await this.#interviews?.then((interviews) => interviews.close())
    await this.#notices?.close()
    await this.heartbeat.close()
    await this.adopted.close()
    this.#lag.stop()
    await this.registrations.idle()
    await this.#coordination.close()
    this.checkins.close()
    await Promise.all([...this.#plans.values()].map((plan) => plan.close()))
    await this.parts.detach()
    await this.#noteEverywhere('pm_stopped', {})
    await this.mirror.close()
  }

  /** A plan that cannot be loaded does not keep the others from loading. */
  async #load(stream: StreamId): Promise<void> {
    try {
      const read = await this.#readOnly(stream)
      const { plan } = read
      const isShown = this.parts.clock.now() - plan.state.at < SHOWN_MS
      if (!isOver(plan.state)) await this.#drive(read)
      else if (isShown) this.#plans.set(stream, plan)
      else await this.parts.log.closeStream(stream)
      this.unloaded.delete(stream)
    } catch (error) {
      const repository = await this.#repositoryOf(stream).catch(() => null)
      const isNew = this.unloaded.add({ stream, repository }, error, this.parts.clock.now())
      if (isNew) this.parts.onError(`loading ${stream}`, error)
    }
  }

  /** The plan for reading only, and its document as it is now. */
  async #readOnly(stream: StreamId): Promise<ReadPlan> {
    const repository = await this.#repositoryOf(stream)
    if (repository === null) throw new Error('its repository is unknown')
    const { state, document } = await this.#read(stream)
    const home = { stream, repository, sha256: document?.sha256 ?? null }
    return { plan: HostedPlan.readOnly(home, state), document }
  }

  /** Throws DamagedPlan if the events do not fold to a state. */
  async #read(stream: StreamId) {
    const { log } = this.parts
    return undamaged(async () => {
      const { state } = await loadPlan(log, stream)
      return { state, document: await readDocument(log, stream, state.documentedAt) }
    })
  }

  async #repositoryOf(stream: StreamId): Promise<Repository | null> {
    const place = streamParts(stream)
    return place === null ? null : this.parts.repositories.find(place.repository)
  }

  /** Logs the beginning and the end of an overload; plans start nothing new meanwhile. */
  #reportLoad({ load, look }: Beat, before: Beat): void {
    const isOverloaded = load.overloaded !== null
    if (isOverloaded === (before.load.overloaded !== null)) return
    for (const plan of this.#plans.values()) plan.engine?.setOverloaded(isOverloaded)
    const figures = { sweep_ms: look.sweepMs, lag_ms: look.lagMs, backlog: look.backlog }
    void (isOverloaded
      ? this.#noteEverywhere('pm_overloaded', { why: load.overloaded, ...figures })
      : this.#noteEverywhere('pm_recovered', figures))
  }

  /** Writes to the activity log of every repository with a plan here. Never rejects. */
  async #noteEverywhere(event: string, data: Readonly<Record<string, unknown>>): Promise<void> {
    const at = this.parts.clock.now()
    const repositories = new Set([...this.#plans.values()].map((plan) => plan.home.repository.id))
    for (const repository of repositories) {
      await this.notes
        .add({ repository, at, event, data })
        .catch((error: unknown) => this.parts.onError(`noting ${event}`, error))
    }
  }
}
