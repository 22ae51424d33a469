/**
 * Watches processes that Bosun did not start. Their limit alone decides what to do (`core/watch/adopted.ts`); this does it,
 * stores it and reports it.
 */
import { join } from 'node:path'
import { adoptedHealth, adoptedStep } from '../../core/watch/adopted.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { endFoundTree } from '../../lib/process/end-found-tree.ts'
import { isAlive } from '../../lib/process/identity.ts'
import { ancestorsOf } from '../../lib/process/process-ancestry.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Repositories } from '../../ports/repositories.ts'
import type { NewNote } from '../activity/notes.ts'
import { readAdopted, writeAdopted, type Adopted } from './adopted-file.ts'

export interface AdoptedParts {
  /** The state root. */
  readonly root: string
  readonly clock: Clock
  readonly repositories: Repositories
  /** Between being asked to end and being killed. */
  readonly graceMs: number
  /** Durable when it resolves. */
  readonly note: (note: NewNote) => Promise<void>
  readonly onError: (what: string, error: unknown) => void
}

export interface AdoptedRow {
  readonly id: string
  readonly repository: string
  readonly health: string
  readonly reason: string
  readonly pid: number
  readonly since: number
  readonly limitAt: number
}

/** Poll interval while there are any, since nothing notifies of their end. */
const LOOK_MS = 1000

interface Watched {
  readonly repository: string
  adopted: Adopted
  /** While it is being ended. */
  ending: Promise<void> | null
}

export function adoptedRowOf({ repository, adopted }: Pick<Watched, 'repository' | 'adopted'>): AdoptedRow {
  const { id, process, since, limitMs, pausedMs = 0 } = adopted
  const limitAt = since + limitMs + pausedMs
  return { id, repository, ...adoptedHealth(adopted), pid: process.pid, since, limitAt }
}

export class AdoptedWorkers {
  readonly #parts: AdoptedParts
  readonly #watched: Watched[] = []
  /** One change at a time: each is written before the next. */
  readonly #queue = new SerialQueue()
  readonly #closing = new AbortController()
  #cancelLook: (() => void) | null = null
  #knownPausedMs: number

  private constructor(parts: AdoptedParts) {
    this.#parts = parts
    this.#knownPausedMs = parts.clock.paused().totalMs
  }

  static async open(parts: AdoptedParts): Promise<AdoptedWorkers> {
    const workers = new AdoptedWorkers(parts)
    for (const { id: repository } of await parts.repositories.list()) {
      const known = await readAdopted(workers.#folder(repository), parts.onError)
      for (const adopted of known) workers.#watched.push({ repository, adopted, ending: null })
    }
    workers.#lookLater()
    return workers
  }

  rows(): readonly AdoptedRow[] {
    return this.#watched.map(adoptedRowOf)
  }

  /** Takes one on. It is durable when this resolves; `refuse` throws where it may not be, with all that are known. */
  adopt(
    repository: string,
    adopted: Adopted,
    refuse: (known: readonly Adopted[]) => void,
  ): Promise<AdoptedRow> {
    return this.#queue.run(async () => {
      await this.#dropEnded()
      await this.#notePause()
      refuse(this.#watched.map((watched) => watched.adopted))
      const watched = { repository, adopted, ending: null }
      this.#watched.push(watched)
      try {
        await this.#save(repository)
      } catch (error) {
        this.#watched.pop()
        throw error
      }
      const { process, command, limitMs, mode, by } = adopted
      const data = { pid: process.pid, command, time_limit_ms: limitMs, mode, by, adopted: true }
      await this.#note(watched, 'worker_registered', data)
      this.#lookLater()
      return adoptedRowOf(watched)
    })
  }

  /** Looks at each of them, and does what is due. What ends takes its time, and is not waited for. */
  look(): Promise<void> {
    return this.#queue.run(async () => {
      await this.#dropEnded()
      await this.#notePause()
      for (const watched of this.#watched) await this.#attend(watched)
    })
  }

  /** Stops one at a person's request. False without one of that name. */
  kill(id: string, why: string): Promise<boolean> {
    return this.#queue.run(async () => {
      const watched = this.#watched.find(({ adopted }) => adopted.id === id)
      if (watched === undefined) return false
      this.#end(watched, why)
      return true
    })
  }

  /** Stops watching; running stops are left to the next daemon. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#cancelLook?.()
    for (const { ending } of this.#watched.slice()) await ending
    await this.#queue.idle()
  }

  #lookLater(): void {
    if (this.#cancelLook !== null || this.#watched.length === 0 || this.#closing.signal.aborted) return
    this.#cancelLook = this.#parts.clock.wake(LOOK_MS, () => {
      this.#cancelLook = null
      this.look().then(
        () => this.#lookLater(),
        (error: unknown) => {
          this.#parts.onError('adopted workers', error)
          this.#lookLater()
        },
      )
    })
  }

  /** Whatever froze the daemon most likely froze them too, and nothing else counts their time. */
  async #notePause(): Promise<void> {
    const pausedMs = this.#parts.clock.paused().totalMs - this.#knownPausedMs
    if (pausedMs === 0) return
    this.#knownPausedMs += pausedMs
    for (const watched of this.#watched)
      watched.adopted = { ...watched.adopted, pausedMs: (watched.adopted.pausedMs ?? 0) + pausedMs }
    for (const repository of new Set(this.#watched.map((watched) => watched.repository)))
      await this.#save(repository)
  }

  async #attend(watched: Watched): Promise<void> {
    const { adopted } = watched
    const ranMs = this.#parts.clock.monotonic() - adopted.sinceMonotonic - (adopted.pausedMs ?? 0)
    const step = adoptedStep(adopted, ranMs)
    const figures = { ran_ms: Math.round(ranMs), time_limit_ms: adopted.limitMs }
    switch (step.kind) {
      case 'nothing':
        return
      case 'warn':
        await this.#note(watched, 'timeout_warning', { percent: step.percent, ...figures })
        return this.#change(watched, { warned: step.percent })
      case 'exceeded': {
        const note = adopted.mode === 'act' ? {} : { note: 'would have killed it; watch.mode is monitor' }
        await this.#note(watched, 'timeout_exceeded', { ...figures, ...note })
        await this.#change(watched, { isOverdue: true })
        return this.#attend(watched)
      }
      case 'end':
        this.#end(watched, 'its time is up')
    }
  }

  /** It exited by itself, or was stopped just before another daemon took over. */
  async #dropEnded(): Promise<void> {
    const gone = this.#watched.filter(({ adopted, ending }) => ending === null && !isAlive(adopted.process))
    for (const watched of gone) {
      const { adopted } = watched
      const wasEnded = adopted.isOverdue && adopted.mode === 'act'
      await (wasEnded
        ? this.#note(watched, 'worker_killed', { why: 'its time is up', how: 'gone' })
        : this.#note(watched, 'worker_completed', { note: 'its exit proves nothing about its work' }))
      await this.#drop(watched)
    }
  }

  #end(watched: Watched, why: string): void {
    watched.ending ??= this.#ended(watched, why)
      .catch((error: unknown) => {
        // Cut short by the end of this daemon: the next one goes on.
        if (!this.#closing.signal.aborted) this.#parts.onError(`ending ${watched.adopted.id}`, error)
      })
      .finally(() => {
        watched.ending = null
      })
  }

  async #ended(watched: Watched, why: string): Promise<void> {
    const leader = watched.adopted.process
    // Since it was adopted, it may have become what everything here hangs on.
    if (ancestorsOf(process.pid).has(leader.pid)) throw new Error('the daemon itself is below it')
    const end = await endFoundTree(leader, this.#parts.graceMs, this.#closing.signal)
    await this.#queue.run(async () => {
      if (end.how === 'gone')
        await this.#note(watched, 'worker_completed', { note: 'its exit proves nothing about its work' })
      else await this.#note(watched, 'worker_killed', { why, how: end.how, survivors: end.survivors })
      await this.#drop(watched)
    })
  }

  async #change(watched: Watched, what: Partial<Adopted>): Promise<void> {
    watched.adopted = { ...watched.adopted, ...what }
    await this.#save(watched.repository)
  }

  async #drop(watched: Watched): Promise<void> {
    this.#watched.splice(this.#watched.indexOf(watched), 1)
    await this.#save(watched.repository)
  }

  #save(repository: string): Promise<void> {
    const own = this.#watched.filter((watched) => watched.repository === repository)
    return writeAdopted(
      this.#folder(repository),
      own.map(({ adopted }) => adopted),
    )
  }

  #note(watched: Watched, event: string, data: Readonly<Record<string, unknown>>): Promise<void> {
    const { repository, adopted } = watched
    return this.#parts.note({ repository, at: this.#parts.clock.now(), event, worker: adopted.id, data })
  }

  #folder(repository: string): string {
    return join(this.#parts.root, 'repos', repository)
  }
}
