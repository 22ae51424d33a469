/**
 * Watches processes that Bosun did not start. Their limit alone decides what to do (`core/watch/adopted.ts`); this does it,
 * stores it and reports it.
 */
import { join } from 'node:path'
import { adoptedHealth, adoptedStep } from '../../core/watch/adopted.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { endFoundTree, ancestorsOf } from '../../lib/process/process-tree.ts'
import { isAlive } from '../../lib/process/processes.ts'
import type { NewNote } from '../activity/read-activity.ts'
import type { HostParts } from '../host/host.ts'
import { jsonOf } from '../host/json-of.ts'
import { mkdir, rename } from 'node:fs/promises'
import { z } from 'zod'
import { atomicWriteText } from '../../lib/files/atomic-write.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import { iso } from '../../lib/text/format-time.ts'
import type { WorkerRow } from '../../protocol/answers.ts'
import { NO_CLAIM, NOTHING_KNOWN } from './worker-rows.ts'

export interface AdoptedParts extends Pick<HostParts, 'root' | 'clock' | 'repositories' | 'onError'> {
  /** Between being asked to end and being killed. */
  readonly graceMs: number
  /** Durable when it resolves. */
  readonly note: (note: NewNote) => Promise<void>
}

/** Poll interval while there are any, since nothing notifies of their end. */
const LOOK_MS = 1000

interface Watched {
  readonly repository: string
  adopted: Adopted
  /** While it is being ended. */
  ending: Promise<void> | null
}

/** A process that Bosun did not start, as a row beside the workers of plans. */
export interface AdoptedRow {
  readonly repository: string
  readonly row: WorkerRow
}

export function adoptedRow({ repository, adopted }: Pick<Watched, 'repository' | 'adopted'>): AdoptedRow {
  const { id, process, since, limitMs, pausedMs = 0 } = adopted
  const row: WorkerRow = {
    id,
    plan: null,
    repo: null,
    task: null,
    role: 'adopted',
    attempt: 1,
    ...adoptedHealth(adopted),
    pid: process.pid,
    since: iso(since),
    ...NO_CLAIM,
    ...NOTHING_KNOWN,
    time_limit_at: iso(since + limitMs + pausedMs),
  }
  return { repository, row }
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
    return this.#watched.map((watched) => adoptedRow(watched))
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
      return adoptedRow(watched)
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

/** The processes of one repository that were adopted, as they are kept: a daemon that comes back watches on. */
const adopted = z.lazy(() =>
  z.strictObject({
    id: z.string(),
    /** Boot, number and start time: one process, and never another one. */
    process: z.strictObject({ boot: z.string(), pid: z.int().positive(), start: z.string() }),
    command: z.string(),
    by: z.string(),
    /** Wall time, for people. */
    since: z.number(),
    /** The same by the machine's own count, which no clock that is set can move. */
    sinceMonotonic: z.number(),
    limitMs: z.number().positive(),
    /** How long the daemon did not run meanwhile: that is not counted. */
    pausedMs: z.number().nonnegative().optional(),
    warnings: z.array(z.number()),
    terminateAt: z.number(),
    mode: z.enum(['act', 'monitor']),
    warned: z.number(),
    isOverdue: z.boolean(),
  }),
)
const file = z.strictObject({ version: z.literal(1), adopted: z.array(adopted) })

export type Adopted = Readonly<z.infer<typeof adopted>>

const NAME = 'adopted.json'

/** `folder` is the repository's in the state root. An unreadable file is set aside and reported. */
async function readAdopted(
  folder: string,
  onError: (what: string, error: unknown) => void,
): Promise<readonly Adopted[]> {
  const path = join(folder, NAME)
  const text = readIfExists(path)
  if (text === null) return []
  try {
    return file.parse(JSON.parse(text)).adopted
  } catch (error) {
    await rename(path, `${path}.unreadable`)
    onError(`cannot read ${path}, set it aside; adopt its processes again`, error)
    return []
  }
}

/** The same for readers: an unreadable file is left in place and counts as empty; the next daemon puts it aside and says so. */
export const readAdoptedToLook = (folder: string): readonly Adopted[] =>
  jsonOf(file, readIfExists(join(folder, NAME)))?.adopted ?? []

async function writeAdopted(folder: string, all: readonly Adopted[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const text = `${JSON.stringify({ version: 1, adopted: [...all] } satisfies z.input<typeof file>, null, 2)}\n`
  await atomicWriteText(join(folder, NAME), text)
}
