/**
 * The file door: requests and answers come in as files, alerts, workers and the state of the watch go out as files, in the
 * coordination folder of each repository. It runs once a loop, on a new file, and on events that show up in the files.
 */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
import { Debounce } from '../../engine/debounce.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { Entry } from '../../ports/event-log.ts'
import { coordinationFolder } from './coordination-folders.ts'
import type { Beat } from '../host/heartbeat.ts'
import type { Host } from '../host/host.ts'
import { streamParts } from '../host/stream-name.ts'
import type { PmState } from '../../core/watch/checkins/coordination-files.ts'
import { pmStateOf, type DaemonLoop } from './pm-state.ts'
import { RepositoryFiles } from './repository-files.ts'

/** After something happened others come with it. */
const SOON_MS = 250

/** Events that show up in the files. */
const SHOWN: ReadonlySet<PlanEvent['type']> = new Set([
  'worker.started',
  'worker.ended',
  'task.gated',
  'inbox.opened',
  'inbox.answered',
  'inbox.withdrawn',
  'request.received',
  'request.answered',
])
/** Collected work matters to the files only if it is empty. */
const isEmpty = (event: PlanEvent): boolean => event.type === 'work.collected' && event.changed.length === 0

export class CoordinationFiles {
  readonly #host: Host
  readonly #daemon: DaemonLoop
  readonly #all = new Map<string, RepositoryFiles>()
  readonly #queue = new SerialQueue()
  #unsubscribe: () => void = () => undefined
  /** The state of each repository as it was written last. */
  readonly #written = new Map<string, PmState>()
  readonly #soon: Debounce
  #closed = false

  private constructor(host: Host, daemon: DaemonLoop) {
    this.#host = host
    this.#daemon = daemon
    const { clock, onError } = host.parts
    this.#soon = new Debounce(clock, () => {
      this.sweep().catch((error: unknown) => onError('the coordination files', error))
    })
  }

  static async open(host: Host, daemon: DaemonLoop): Promise<CoordinationFiles> {
    const files = new CoordinationFiles(host, daemon)
    const { log, onError } = host.parts
    files.#unsubscribe = log.subscribe(
      await log.head(),
      (entries) => files.#take(entries.filter(isPlanEntry)),
      (error) => onError('the coordination files', error),
    )
    host.heartbeat.add({ name: 'coordination files', urgency: 'ordinary', run: () => files.sweep() })
    host.heartbeat.listen((beat) => files.#writeStates(beat))
    files.#soon.ask(SOON_MS)
    return files
  }

  /** Deals with all that is there now. */
  sweep(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#closed) return
      for (const repository of this.#repositories()) await this.#of(repository).sweep()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    await this.#queue.idle()
    for (const files of this.#all.values()) files.close()
    this.#soon.cancel()
  }

  #repositories(): ReadonlySet<string> {
    return new Set([...this.#host.plans().map((plan) => plan.home.repository.id), ...this.#all.keys()])
  }

  #of(repository: string): RepositoryFiles {
    const known = this.#all.get(repository)
    if (known !== undefined) return known
    const folder = coordinationFolder(this.#host.parts.root, repository)
    const files = new RepositoryFiles(this.#host, repository, {
      folder,
      onNews: () => this.#soon.ask(SOON_MS),
    })
    this.#all.set(repository, files)
    return files
  }

  /** Once the plans that the entries are about have taken them in; the folders are there before a worker can be. */
  #take(entries: readonly Entry<PlanEvent>[]): void {
    for (const { stream, event } of entries) {
      const place = event.type === 'plan.registered' ? streamParts(stream) : null
      if (place !== null) this.#of(place.repository).prepare()
    }
    const shown = entries.filter(({ event }) => SHOWN.has(event.type) || isEmpty(event))
    if (shown.length === 0) return
    setImmediate(() => {
      for (const entry of shown) {
        const place = streamParts(entry.stream)
        if (place !== null) this.#of(place.repository).take(entry)
      }
      this.#soon.ask(SOON_MS)
    })
  }

  #writeStates(beat: Beat): void {
    this.#queue
      .run(async () => {
        if (this.#closed) return
        for (const repository of this.#repositories()) {
          const metrics = await this.#host.metrics.now(repository)
          const before = this.#written.get(repository) ?? null
          const state = pmStateOf(this.#host, repository, { daemon: this.#daemon, beat, metrics, before })
          this.#written.set(repository, state)
          await this.#of(repository).writeState(state)
        }
      })
      .catch((error: unknown) => this.#host.parts.onError('pm-state.json', error))
  }
}
