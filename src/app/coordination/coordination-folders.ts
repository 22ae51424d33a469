/** The coordination folders of all repositories that are worked on. */
import { join } from 'node:path'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
import type { Entry } from '../../ports/event-log.ts'
import { Coordination } from './coordination-folder.ts'
import type { Host } from '../host/host.ts'
import { streamParts } from '../host/stream-name.ts'

/** After these something else may wait for a worker. */
const MESSAGE_EVENTS: ReadonlySet<PlanEvent['type']> = new Set([
  'worker.told',
  'worker.heard',
  'worker.ended',
  'inbox.answered',
  'request.answered',
])

export const coordinationFolder = (root: string, repository: string): string =>
  join(root, 'repos', repository, 'coordination')

export class CoordinationFolders {
  readonly #host: Host
  readonly #all = new Map<string, Coordination>()
  #unsubscribe: () => void = () => undefined

  constructor(host: Host) {
    this.#host = host
    // The folders are looked at by themselves: a loop only has to know how much they have not got to.
    host.heartbeat.add({
      name: 'check-in files',
      urgency: 'ordinary',
      run: async () => undefined,
      backlog: () => [...this.#all.values()].reduce((sum, { spool }) => sum + spool.backlog, 0),
    })
  }

  async open(): Promise<void> {
    const { log, onError } = this.#host.parts
    this.#unsubscribe = log.subscribe(
      await log.head(),
      (entries) => this.#placeMessages(entries.filter(isPlanEntry)),
      (error) => onError('messages to workers', error),
    )
  }

  /** Listens to the workers of a repository that leave files, and leaves files for them. */
  take(repository: string): void {
    const known = this.#all.get(repository)
    if (known !== undefined) return known.placeMessages()
    const folder = coordinationFolder(this.#host.parts.root, repository)
    const coordination = new Coordination(this.#host, { repository, folder })
    this.#all.set(repository, coordination)
    coordination.start()
    coordination.placeMessages()
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await Promise.all([...this.#all.values()].map((coordination) => coordination.close()))
  }

  /** Once the plans that these entries are about have taken them in. */
  #placeMessages(entries: readonly Entry<PlanEvent>[]): void {
    const about = entries.filter(({ event }) => MESSAGE_EVENTS.has(event.type))
    const repositories = new Set(about.map(({ stream }) => streamParts(stream)?.repository ?? ''))
    if (repositories.size === 0) return
    setImmediate(() => {
      for (const repository of repositories) this.#all.get(repository)?.placeMessages()
    })
  }
}
