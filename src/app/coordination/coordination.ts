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
import { pmStateOf } from './pm-state.ts'
import { RepositoryFolder } from './repository-folder.ts'

/** After something happened others come with it. */
const SOON_MS = 250

/** Events that show up in the files, and those after which something else may wait for a worker. */
const SHOWN: ReadonlySet<PlanEvent['type']> = new Set([
  'worker.started',
  'worker.ended',
  'work.collected',
  'task.gated',
  'task.dispatched',
  'inbox.opened',
  'inbox.answered',
  'inbox.withdrawn',
  'request.received',
  'request.answered',
])
const MESSAGES: ReadonlySet<PlanEvent['type']> = new Set([
  'worker.told',
  'worker.heard',
  'worker.ended',
  'inbox.answered',
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
      urgency: 'ordinary',
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
    if (!placed.some(({ event }) => SHOWN.has(event.type) || MESSAGES.has(event.type))) return
    setImmediate(() => {
      for (const { repository, event } of placed) {
        if (event.type === 'worker.started') void this.#of(repository).noteStart(event.worker)
        if (SHOWN.has(event.type)) this.#soon.ask(SOON_MS)
      }
      const messages = placed.filter(({ event }) => MESSAGES.has(event.type))
      for (const repository of new Set(messages.map((one) => one.repository)))
        this.#of(repository).placeMessages()
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
            pmStateOf(this.#host, repository, { daemon, beat, metrics, before }),
          )
        }
      })
      .catch((error: unknown) => onError('pm-state.json', error))
  }
}
