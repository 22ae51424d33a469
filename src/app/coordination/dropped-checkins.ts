/**
 * Takes in check-ins that workers leave as files, in order of time, including those left while no daemon ran. A file is
 * removed once its check-in is durable: after a crash it is read again and recognized.
 */
import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import { Debounce } from '../../engine/debounce.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import { isRecord } from '../../lib/text/json.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { readCheckinFile, type ReadFile } from '../checkins/worker-channel.ts'
import type { HostParts } from '../host/host.ts'
import { DropFolder, type DroppedFile, Troubles } from './drop-folder.ts'

export interface DroppedCheckinsParts extends Pick<HostParts, 'clock' | 'onError'> {
  readonly folder: string
  /** Takes what is in a file; it is durable when this resolves. `unknown` is kept until its worker is known. */
  readonly take: (checkin: ReadFile, file: string) => Promise<'taken' | 'unknown'>
  /** Of all secrets that the daemon holds; none are held if absent. */
  readonly hide?: Redactor | undefined
  readonly onMalformed: (files: readonly Malformed[]) => void
}

export interface Malformed {
  readonly file: string
  readonly problem: string
}

const SWEEP_MS = 5000
/** Delay after a change, since others come with it. */
const SOON_MS = 20
const KEPT_MS = 24 * 3_600_000
/** Files that are put into order together, and those that are handled before others have their turn. */
const ROUND = 4096
const SLICE = 64

interface Found {
  readonly file: DroppedFile
  readonly checkin: ReadFile
}

export class DroppedCheckins {
  readonly #parts: DroppedCheckinsParts
  readonly #folder: DropFolder
  readonly #troubles: Troubles
  readonly #queue = new SerialQueue()
  readonly #soon: Debounce
  #malformed: Malformed[] = []
  #isAsked = false
  #cancelSweep: () => void = () => undefined
  #closed = false
  /** Files that were there and not yet taken when it last looked. */
  backlog = 0

  constructor(parts: DroppedCheckinsParts) {
    this.#parts = parts
    this.#troubles = new Troubles(parts.onError)
    this.#soon = new Debounce(parts.clock, () => void this.sweep())
    this.#folder = new DropFolder({
      pending: parts.folder,
      done: join(parts.folder, 'archive'),
      malformed: join(parts.folder, 'malformed'),
      keptMs: KEPT_MS,
      hide: parts.hide,
      consequence: 'check-ins by file are ignored. Remove it, and it will be created again',
      nameProblem: (name) => (name.endsWith('.json') ? null : 'the name does not end in .json'),
      onMalformed: (name, problem) => this.#malformed.push({ file: terminalLine(name), problem }),
    })
  }

  /** Looks now, on every change, and every few seconds in any case. */
  start(): void {
    this.#cancelSweep = this.#parts.clock.wake(SWEEP_MS, () => this.start())
    void this.sweep()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancelSweep()
    this.#folder.close()
    this.#soon.cancel()
    await this.#queue.idle()
  }

  /** Takes in what is there. Never rejects; resolves when nothing is left that could be taken now. */
  async sweep(): Promise<void> {
    // One that has not begun yet sees what this one would.
    if (this.#isAsked) return this.#queue.idle()
    this.#isAsked = true
    await this.#queue.run(async () => {
      this.#isAsked = false
      if (!this.#closed) await this.#troubles.attend('check-in files', () => this.#sweepOnce())
    })
  }

  async #sweepOnce(): Promise<void> {
    this.#folder.prepare()
    this.#folder.watch(() => this.#soon.ask(SOON_MS))
    const names = await this.#folder.names()
    this.backlog = names.length
    names.sort((one, other) => compare(stampOf(one), stampOf(other)) || compare(one, other))
    for (let from = 0; from < names.length && !this.#closed; from += ROUND)
      await this.#takeRound(names.slice(from, from + ROUND))
    if (this.#malformed.length > 0) this.#parts.onMalformed(this.#malformed.splice(0))
    await this.#folder.tidy(this.#parts.clock.now())
  }

  async #takeRound(names: readonly string[]): Promise<void> {
    const found: Found[] = []
    for (let from = 0; from < names.length; from += SLICE) {
      found.push(...names.slice(from, from + SLICE).flatMap((name) => this.#read(name) ?? []))
      await others()
    }
    found.sort(
      (one, other) =>
        one.checkin.at - other.checkin.at ||
        one.file.writtenMs - other.file.writtenMs ||
        compare(one.file.name, other.file.name),
    )
    for (let from = 0; from < found.length && !this.#closed; from += SLICE) {
      const slice = found.slice(from, from + SLICE)
      const taken = await Promise.allSettled(slice.map((one) => this.#take(one)))
      const refused = taken.find((one) => one.status === 'rejected')
      // A file that cannot be stored stays; the others would fail too now.
      if (refused !== undefined) throw refused.reason
      this.backlog -= slice.length
    }
  }

  /** What is kept of a file for a day; undefined: all of it. Its token was needed until now. */
  #kept(value: unknown): unknown {
    if (!isRecord(value)) return undefined
    const { token, ...said } = value
    const clean = this.#parts.hide?.inAll(said) ?? said
    return token === undefined && clean === said ? undefined : clean
  }

  #read(name: string): Found | null {
    const now = this.#parts.clock.now()
    const file = this.#folder.read(name, now)
    if (file === null) return null
    const reading = readCheckinFile(file.value, now, file.writtenMs)
    if (reading.ok) return { file, checkin: reading.checkin }
    this.#folder.setAside(name, reading.problem)
    return null
  }

  async #take({ file: { name, placedMs, value }, checkin }: Found): Promise<void> {
    const taken = await this.#parts.take(checkin, name)
    if (taken === 'taken') this.#folder.archive(name, this.#kept(value))
    else if (this.#parts.clock.now() - placedMs > KEPT_MS)
      this.#folder.setAside(name, 'its worker was unknown for a day')
  }
}

/** When a file says that it was written; those that do not say it come first. */
const stampOf = (name: string): string => /\d{8}T\d{6}Z/.exec(name)?.[0] ?? ''

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
