/** The Agent port on real processes: one supervisor per worker, followed through its folder. */
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { StopCause } from '../core/event-schemas/schemas.ts'
import { isSpecialist } from '../core/planning/ids.ts'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import { isAlive, type ProcessIdentity } from '../lib/process/processes.ts'
import { STOPPING } from '../lib/process/run-program.ts'
import { atomicCreateSync } from '../lib/files/atomic-write.ts'
import {
  AgentUnavailable,
  type Agent,
  type AgentEvent,
  type Job,
  type Started,
  type SessionMessage,
  type WorkerEnded,
} from '../ports/agent.ts'
import { NeedsPerson, WorkspaceNotReady } from '../ports/workspace.ts'
import {
  DamagedFile,
  MISSING,
  workerFolder,
  giveCommand,
  type WorkerCommand,
  type WorkerFolder,
} from './worker-folder.ts'
import { installWorkerTools } from './command/checkin-script.ts'
import { launchSupervisor } from './launch-supervisor.ts'
import { writeJob, type JobMaker } from './write-job.ts'
import { orNull, ownerIn, readEnd, readJob, keepAcknowledged, startedAs } from './worker-records.ts'
import { WorkerWatch } from './worker-watch.ts'

export interface SupervisedAgentOptions extends JobMaker {
  /** Where each worker has a folder of its own. */
  readonly root: string
  /** The command that supervises the folder named after it. */
  readonly supervise: readonly string[]
  /** How long a supervisor may take to begin; a minute by default. */
  readonly launchLimitMs?: number
  readonly onError: (what: string, error: unknown) => void
}

const WORKER_NAME = /^[a-z0-9-]+$/

/** Resolves however the work ended. */
const settled = (work: Promise<unknown> | undefined): Promise<unknown> =>
  (work ?? Promise.resolve()).catch(() => undefined)

/** Errors that `start` passes on; any other becomes AgentUnavailable. */
const PASSED_ON = [AgentUnavailable, WorkspaceNotReady, NeedsPerson]

/** A worker that is being started. */
interface Starting {
  readonly done: Promise<Started>
  /** Ends what prepares it; of no use once it runs. */
  readonly abort: AbortController
  /** Aborted by that, or by the caller. */
  readonly signal: AbortSignal
}

/** How much longer than a worker's own grace its supervisor may take to end it, before it is taken for stuck. */
const STUCK_MS = 10_000

/** How long a supervisor may take to end once it has written down its worker's end. */
const LEAVING_MS = 5000
const LEAVING_LOOK_MS = 10

export class SupervisedAgent implements Agent {
  readonly #options: SupervisedAgentOptions
  readonly #watches = new Map<string, WorkerWatch>()
  readonly #starting = new Map<string, Starting>()
  readonly #listeners = new Set<(event: AgentEvent) => void>()
  /** Supervisors whose worker has ended, and that may still be at their last lines. */
  #leaving: readonly ProcessIdentity[] = []
  #adoption: Promise<unknown> = Promise.resolve()
  #isClosed = false

  private constructor(options: SupervisedAgentOptions) {
    this.#options = options
  }

  /** Adopts every worker it finds: follows those that run, ends those whose supervisor is gone. */
  static async open(options: SupervisedAgentOptions): Promise<SupervisedAgent> {
    mkdirSync(options.root, { recursive: true, mode: 0o700 })
    installWorkerTools(options.tools)
    const agent = new SupervisedAgent(options)
    const found = readdirSync(options.root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && WORKER_NAME.test(entry.name))
      .map(({ name }) => name)
    const open = found.filter((name) => agent.#isOpen(agent.#folder(name)))
    // A worker that cannot be adopted does not stop the others.
    agent.#adoption = Promise.all(
      open.map((worker) =>
        agent.#follow(worker, null).catch((error: unknown) => options.onError(`following ${worker}`, error)),
      ),
    )
    return agent
  }

  /** Resolves when the supervisors of workers that have ended are gone as well: each writes down the end, then ends. */
  async quiet(): Promise<void> {
    const deadline = performance.now() + LEAVING_MS
    while (this.#stillLeaving().length > 0 && performance.now() < deadline) await delay(LEAVING_LOOK_MS)
  }

  #stillLeaving(): readonly ProcessIdentity[] {
    this.#leaving = this.#leaving.filter(isAlive)
    return this.#leaving
  }

  /** Detaches: workers keep running and can be adopted again. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const watch of this.#watches.values()) watch.close()
    this.#listeners.clear()
  }

  start(job: Job, signal?: AbortSignal): Promise<Started> {
    const before = this.#starting.get(job.worker)
    if (before !== undefined && !before.signal.aborted) return before.done
    const abort = new AbortController()
    const either = AbortSignal.any([abort.signal, ...(signal === undefined ? [] : [signal])])
    const starting: Starting = {
      abort,
      signal: either,
      // An aborted start has to finish before the next one begins.
      done: settled(before?.done)
        .then(() => this.#start(job, either))
        .finally(() => {
          if (this.#starting.get(job.worker) === starting) this.#starting.delete(job.worker)
        }),
    }
    this.#starting.set(job.worker, starting)
    return starting.done
  }

  /** `plan` is whose worker it is, for one that was never started. */
  async stop(worker: string, cause: StopCause, plan: string | null = null): Promise<void> {
    const folder = this.#folder(worker)
    if (existsSync(folder.acknowledged)) return
    mkdirSync(folder.path, { recursive: true, mode: 0o700 })
    // The creator of this file owns the worker: once it is ours, no supervisor can start.
    atomicCreateSync(folder.identity, JSON.stringify({ supervisor: null, agent: null, plan }))
    const damage = giveCommand(folder, { kind: 'stop', cause })
    const starting = this.#starting.get(worker)
    starting?.abort.abort()
    this.#watches.get(worker)?.look()
    await settled(starting?.done)
    const watch = await this.#watchOf(worker, plan)
    if (damage !== null) await watch.fail(damage)
    watch.look()
    const stuck = setTimeout(() => watch.killSupervisor(), this.#options.graceMs + STUCK_MS)
    await watch.over
    clearTimeout(stuck)
  }

  async unacknowledged(
    running: readonly string[] = [],
    plan: string | null = null,
  ): Promise<readonly WorkerEnded[]> {
    await this.#adoption
    await Promise.all(running.map((worker) => this.#expect(worker, plan)))
    const ends = [...this.#watches.values()].flatMap(({ end }) => (end === null ? [] : [end]))
    return ends.sort((one, other) => one.result.endedAt - other.result.endedAt).map((end) => end.event)
  }

  /** The log counts it as running: what its folder says of it holds, or it has failed. */
  async #expect(worker: string, plan: string | null): Promise<void> {
    const folder = this.#folder(worker)
    // The log does not know its end.
    if (existsSync(folder.acknowledged) && !this.#watches.has(worker))
      renameSync(folder.acknowledged, folder.result)
    const watch = await this.#watchOf(worker, plan)
    if (plan !== null) watch.ownedBy(plan)
    if (!existsSync(folder.path)) await watch.fail(new DamagedFile(folder.path, MISSING, 'folder'))
    else if (!existsSync(folder.identity)) await watch.fail(new DamagedFile(folder.identity, MISSING))
  }

  listen(listener: (event: AgentEvent) => void): () => void {
    setImmediate(() => {
      // Events from before the listener was added and that still hold.
      const standing = [...this.#watches.values()].flatMap((watch) => watch.standing)
      if (this.#listeners.has(listener)) for (const event of standing) listener(event)
    })
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async acknowledge(worker: string): Promise<void> {
    const watch = this.#watches.get(worker)
    if (watch === undefined || watch.end === null) return
    this.#watches.delete(worker)
    // A power cut may undo it; then the end is reported again to a listener that knows it.
    keepAcknowledged(watch.folder, watch.end.result, (error) =>
      this.#options.onError(`acknowledging the end of ${worker}`, error),
    )
    const { supervisor } = watch
    if (supervisor !== null) this.#leaving = [...this.#stillLeaving(), supervisor]
  }

  async send(worker: string, message: SessionMessage): Promise<boolean> {
    const watch = this.#running(worker)
    if (watch === null) return false
    if (watch.job?.protocol !== 'acp') {
      // A plain command reads nothing after its brief, but it can be continued if it is halted.
      if (message.kind === 'prompt') await this.#command(watch, { kind: 'nudge' })
      return false
    }
    return this.#command(watch, { kind: 'send', words: message })
  }

  async extend(worker: string, limitMs: number): Promise<void> {
    const watch = this.#running(worker)
    if (watch === null) return
    const endMs = this.#options.endingMs(watch.plan ?? '', limitMs)
    await this.#command(watch, { kind: 'limit', limitMs: endMs })
  }

  async hold(worker: string, isHeld: boolean): Promise<void> {
    const watch = this.#running(worker)
    if (watch !== null) await this.#command(watch, { kind: 'hold', isHeld })
  }

  /** Null for a worker that has ended, or was not started. */
  #running(worker: string): WorkerWatch | null {
    const watch = this.#watches.get(worker)
    return watch === undefined || watch.end !== null ? null : watch
  }

  #watchOf(worker: string, plan: string | null): Promise<WorkerWatch> | WorkerWatch {
    return this.#watches.get(worker) ?? this.#follow(worker, plan)
  }

  /** False for a worker that can be given none, and has failed. */
  async #command(watch: WorkerWatch, command: WorkerCommand): Promise<boolean> {
    const damage = giveCommand(watch.folder, command)
    if (damage !== null) await watch.fail(damage)
    return damage === null
  }

  /** The process of a worker that runs; null for one that has ended, or has not begun. */
  pidOf(worker: string): number | null {
    return this.#running(worker)?.pid ?? null
  }

  /** How messages reach a worker that runs: into its session, or with its check-ins. Null for one that does not run. */
  channelOf(worker: string): 'session' | 'checkin' | null {
    const watch = this.#running(worker)
    if (watch === null) return null
    return watch.job?.protocol === 'acp' ? 'session' : 'checkin'
  }

  /** The state of a worker, after adoption; an `unknown` one may still be started. */
  async standing(worker: string): Promise<'unknown' | 'running' | 'ended'> {
    await this.#adoption
    if (existsSync(this.#folder(worker).acknowledged)) return 'ended'
    const watch = this.#watches.get(worker)
    if (watch === undefined) return 'unknown'
    return watch.end === null ? 'running' : 'ended'
  }

  /** How a worker ended, also after that was acknowledged; null while it runs. */
  endOf(worker: string): WorkerEnded | null {
    return readEnd(this.#folder(worker))
  }

  /** Whether it was stopped because a person works in its place. */
  wasTakenOver(worker: string): boolean {
    const end = this.endOf(worker)?.end
    return end?.kind === 'stopped' && end.cause === 'taken_over'
  }

  /** A view of the workers of one plan. Specialists are not its workers: who asks them hears of them. */
  forPlan(plan: string): Agent {
    const isMine = ({ worker }: AgentEvent): boolean =>
      this.#watches.get(worker)?.plan === plan && !isSpecialist(worker)
    return {
      start: (job, signal) => this.start(job, signal),
      stop: (worker, cause) => this.stop(worker, cause, plan),
      unacknowledged: async (running) => (await this.unacknowledged(running, plan)).filter(isMine),
      listen: (listener) => this.listen((event) => isMine(event) && listener(event)),
      acknowledge: (worker) => this.acknowledge(worker),
      send: (worker, message) => this.send(worker, message),
      extend: (worker, limitMs) => this.extend(worker, limitMs),
      hold: (worker, isHeld) => this.hold(worker, isHeld),
    }
  }

  async #start(job: Job, signal: AbortSignal): Promise<Started> {
    const folder = this.#folder(job.worker)
    const owner = ownerIn(folder) ?? job.plan
    if (owner !== job.plan)
      throw new AgentUnavailable(`worker id ${job.worker} is already in use in plan ${owner}`)
    if (existsSync(folder.acknowledged)) return startedAs(orNull(() => readJob(folder.job)))
    if (!this.#isOpen(folder)) await this.#prepare(job, folder, signal)
    const watch = await this.#watchOf(job.worker, job.plan)
    if (this.#isClosed) {
      // The next daemon launches it.
      watch.close()
      throw new AgentUnavailable(STOPPING.reason)
    }
    if (!existsSync(folder.identity)) await this.#launch(watch)
    await watch.begun
    return startedAs(watch.job)
  }

  /** If this fails, nothing has started and nothing can start later. */
  async #prepare(job: Job, folder: WorkerFolder, signal: AbortSignal): Promise<void> {
    try {
      await writeJob(job, folder, { maker: this.#options, signal })
    } catch (error) {
      if (PASSED_ON.some((kind) => error instanceof kind)) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new AgentUnavailable(reason, { cause: error })
    }
  }

  async #launch(watch: WorkerWatch): Promise<void> {
    const launched = launchSupervisor({
      command: this.#options.supervise,
      env: builtEnvironment(this.#options.env),
      folder: watch.folder,
      onExit: () => {
        if (!this.#isClosed) watch.look()
      },
      limitMs: this.#options.launchLimitMs,
    })
    const failure = await Promise.race([watch.begun, launched.failure])
    if (failure === undefined) return
    this.#watches.delete(watch.worker)
    watch.close()
    throw new AgentUnavailable(failure)
  }

  /** `plan` is whose it is, where its folder does not say. */
  async #follow(worker: string, plan: string | null): Promise<WorkerWatch> {
    const { onError } = this.#options
    const emit = (event: AgentEvent): void => this.#emit(event)
    const watch = new WorkerWatch({ worker, folder: this.#folder(worker), emit, onError })
    this.#watches.set(worker, watch)
    if (plan !== null) watch.ownedBy(plan)
    await watch.follow()
    return watch
  }

  #folder(worker: string): WorkerFolder {
    if (!WORKER_NAME.test(worker)) throw new RangeError(`invalid worker id ${worker}`)
    return workerFolder(join(this.#options.root, worker))
  }

  /** Whether it was started or stopped, and its end was not acknowledged. */
  #isOpen(folder: WorkerFolder): boolean {
    if (existsSync(folder.acknowledged)) return false
    return existsSync(folder.job) || existsSync(folder.identity)
  }

  /** In order, and never before a pending `start` or `stop` returns. */
  #emit(event: AgentEvent): void {
    setImmediate(() => {
      for (const listener of this.#listeners) listener(event)
    })
  }
}
