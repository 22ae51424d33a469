/**
 * Mirrors the activity into `pm-activity.jsonl` of each repository's coordination folder, for people and other programs.
 * Nothing is read from it. `activity-mirror.json` says how far it goes and how long each file was then, so that a start
 * after a crash takes back what was written after that and goes on, without a line lost or repeated.
 */
import { appendFileSync, renameSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { Debounce } from '../../engine/debounce.ts'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { errorCode } from '../../lib/files/system-error.ts'
import { entryToShow } from '../../ports/event-log.ts'
import type { ActivityLine } from '../../protocol/answers.ts'
import { folderProblem, Troubles } from './drop-folder.ts'
import { jsonOf } from '../host/json-of.ts'
import type { HostParts } from '../host/host.ts'
import { coordinationFolder, repositoryOfStream } from '../host/stream-name.ts'
import { linesOf, noteLine, type Notes } from '../activity/read-activity.ts'
import { tailPastDamage } from '../activity/past-damage.ts'

type MirrorParts = Pick<HostParts, 'root' | 'clock' | 'log' | 'notes' | 'onError'>

/** Check-ins come together. */
const SOON_MS = 50
/** How long to wait after a failed write. */
const AGAIN_MS = 5000
const PAGE = 500
const MAX_BYTES = 8 * 1024 * 1024
/** Files that were put aside; older ones are given up. */
const KEPT = 4

const positionSchema = z.strictObject({
  /** The last entry of the log and the last note that are in the files. */
  seq: z.int().min(0),
  note: z.int().min(0),
  /** How long the file of each repository was then. */
  bytes: z.record(z.string(), z.int().min(0)),
})
type Position = z.infer<typeof positionSchema>

interface MirroredLine {
  readonly repository: string
  readonly line: ActivityLine
}

export class ActivityMirror {
  readonly #parts: MirrorParts
  readonly #queue = new SerialQueue()
  readonly #soon: Debounce
  readonly #unsubscribe: readonly (() => void)[]
  /** Null until it is read, and after a failure. */
  #position: Position | null = null
  readonly #troubles: Troubles
  #isBegun = false

  private constructor(parts: MirrorParts, listened: Notes, head: number) {
    this.#parts = parts
    const { clock, log, onError } = parts
    this.#troubles = new Troubles(onError)
    this.#soon = new Debounce(clock, () => this.#begin())
    const failed = (error: Error): void => onError('the activity log', error)
    this.#unsubscribe = [
      log.subscribe(head, () => this.#begin(), failed),
      listened.listen(() => this.#soon.ask(SOON_MS)),
    ]
  }

  static async open(parts: MirrorParts, notes: Notes): Promise<ActivityMirror> {
    const mirror = new ActivityMirror(parts, notes, await parts.log.head())
    mirror.#soon.ask(SOON_MS)
    return mirror
  }

  /** What happens until it is its turn is written with it. */
  #begin(): void {
    if (this.#isBegun) return
    this.#isBegun = true
    void this.settled()
  }

  /** Resolves when everything that has happened is in the files, or could not be written. */
  settled(): Promise<void> {
    return this.#queue.run(async () => {
      this.#isBegun = false
      try {
        this.#position ??= this.#takeBack()
        while (await this.#writePage(this.#position));
      } catch (error) {
        this.#position = null
        this.#troubles.report('the activity log', error)
        this.#soon.ask(AGAIN_MS)
      }
    })
  }

  async close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await this.settled()
    this.#soon.cancel()
  }

  get #file(): string {
    return join(this.#parts.root, 'activity-mirror.json')
  }

  /** Takes back what was written after the position. Without one, every file is written anew. */
  #takeBack(): Position {
    const position = jsonOf(positionSchema, readIfExists(this.#file)) ?? { seq: 0, note: 0, bytes: {} }
    for (const [repository, bytes] of Object.entries(position.bytes)) {
      const path = this.#pathOf(repository, 0)
      const size = sizeOf(path)
      if (size > bytes) truncateSync(path, bytes)
      // It was put aside or deleted.
      else position.bytes[repository] = size
    }
    return position
  }

  /** False where nothing is left to be written. */
  async #writePage(position: Position): Promise<boolean> {
    const { log, notes } = this.#parts
    const { entries, seq } = await tailPastDamage(log, position.seq, PAGE)
    const noted = await notes.tail(position.note, PAGE)
    const lines = await linesOf(log, entries.map(entryToShow))
    const ofEvents = entries.flatMap((entry): MirroredLine[] => {
      const repository = repositoryOfStream(entry.stream)
      const own = repository === null ? [] : (lines.get(entry.seq) ?? [])
      return own.map((line) => ({
        repository: repository ?? '',
        line: { ...line, data: { ...line.data, seq: entry.seq } },
      }))
    })
    const ofNotes = noted.map((note) => ({ repository: note.repository, line: noteLine(note) }))
    const mirrored = [...ofNotes, ...ofEvents].toSorted((one, other) =>
      one.line.timestamp < other.line.timestamp ? -1 : Number(one.line.timestamp > other.line.timestamp),
    )
    for (const [repository, own] of Map.groupBy(mirrored, (one) => one.repository))
      this.#append(position, repository, own.map(({ line }) => `${JSON.stringify(line)}\n`).join(''))
    const isNews = seq > position.seq || noted.length > 0
    position.seq = seq
    position.note = noted.at(-1)?.seq ?? position.note
    if (isNews) this.#save(position)
    return entries.length === PAGE || noted.length === PAGE
  }

  #append(position: Position, repository: string, text: string): void {
    const path = this.#pathOf(repository, 0)
    const problem = folderProblem(dirname(path))
    if (problem !== null) return this.#troubles.report('the activity log', new Error(problem))
    const known = position.bytes[repository]
    // Written by an earlier attempt to write all of it.
    if (known === undefined && sizeOf(path) > 0) truncateSync(path, 0)
    const bytes = Buffer.from(text)
    if ((known ?? 0) > 0 && (known ?? 0) + bytes.length > MAX_BYTES) this.#putAside(position, repository)
    appendFileSync(path, bytes, { mode: 0o600 })
    position.bytes[repository] = (position.bytes[repository] ?? 0) + bytes.length
  }

  #putAside(position: Position, repository: string): void {
    for (let age = KEPT - 1; age >= 0; age--) {
      const path = this.#pathOf(repository, age)
      if (sizeOf(path) > 0) renameSync(path, this.#pathOf(repository, age + 1))
    }
    position.bytes[repository] = 0
    this.#save(position)
  }

  #save(position: Position): void {
    atomicWriteSync(this.#file, `${JSON.stringify(position)}\n`, { sync: 'none' })
  }

  #pathOf(repository: string, age: number): string {
    const name = age === 0 ? 'pm-activity.jsonl' : `pm-activity.${age}.jsonl`
    return join(coordinationFolder(this.#parts.root, repository), name)
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0
    throw error
  }
}
