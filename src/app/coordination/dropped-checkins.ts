/**
 * Takes in check-ins that workers leave as files, in order of time, including those left while no daemon ran. A file is
 * removed once its check-in is durable: after a crash it is read again and recognized.
 */
import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import { Debounce } from '../../engine/debounce.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { Clock } from '../../ports/clock.ts'
import { readCheckinFile, type ReadFile } from '../checkins/read-checkin.ts'
import { DropFolder, type DroppedFile } from './drop-folder.ts'

export interface DroppedCheckinsParts {
  readonly folder: string
  readonly clock: Clock
  /** The workers known now. */
  readonly known: () => ReadonlySet<string>
  /** Takes what is in a file; it is durable when this resolves. `unknown` is kept until its worker is known. */
  readonly take: (checkin: ReadFile, file: string) => Promise<'taken' | 'unknown'>
  readonly onMalformed: (files: readonly Malformed[]) => void
  readonly onError: (what: string, error: unknown) => void
}

export interface Malformed {
  readonly file: string
  readonly problem: string
}

const SWEEP_MS = 5000
/** Delay after a change, since others come with it. */
const SOON_MS = 20
const KEPT_MS = 24 * 3_600_000
const TIDY_MS = 3_600_000
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
  /** Files of workers that are not known yet, and when they were put here. */
  readonly #unknown = new Map<string, { readonly worker: string; readonly placedMs: number }>()
  #malformed: Malformed[] = []
  #sweeping: Promise<void> | null = null
  #isDirty = false
  #cancelSweep: () => void = () => undefined
  readonly #soon: Debounce
  #tidiedAt = Number.NEGATIVE_INFINITY
  #trouble: string | null = null
  #closed = false
  /** Files that were there and not yet taken when it last looked. */
  backlog = 0

  constructor(parts: DroppedCheckinsParts) {
    this.#parts = parts
    this.#soon = new Debounce(parts.clock, () => void this.sweep())
    this.#folder = new DropFolder({
      pending: parts.folder,
      done: join(parts.folder, 'archive'),
      malformed: join(parts.folder, 'malformed'),
      consequence: 'check-ins by file are ignored. Remove it, and it will be created again',
      nameProblem: (name) => (name.endsWith('.json') ? null : 'the name does not end in .json'),
      onMalformed: (name, problem) => {
        this.#unknown.delete(name)
        this.#malformed.push({ file: terminalLine(name), problem })
      },
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
    await this.#sweeping
  }

  /** Takes in what is there. Never rejects; resolves when nothing is left that could be taken now. */
  sweep(): Promise<void> {
    this.#isDirty = true
    this.#sweeping ??= this.#sweepAll().finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  async #sweepAll(): Promise<void> {
    while (this.#isDirty && !this.#closed) {
      this.#isDirty = false
      try {
        await this.#sweepOnce()
        this.#trouble = null
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        // The same problem is reported once.
        if (message !== this.#trouble) this.#parts.onError('check-in files', error)
        this.#trouble = message
      }
    }
  }

  async #sweepOnce(): Promise<void> {
    this.#folder.prepare()
    if (!this.#closed) this.#folder.watch(() => this.#soon.ask(SOON_MS))
    const isDue = this.#dueNow()
    const names = (await this.#folder.names()).filter(isDue)
    this.backlog = names.length
    names.sort((one, other) => compare(stampOf(one), stampOf(other)) || compare(one, other))
    for (let from = 0; from < names.length && !this.#closed; from += ROUND)
      await this.#takeRound(names.slice(from, from + ROUND))
    if (this.#malformed.length > 0) this.#parts.onMalformed(this.#malformed.splice(0))
    const now = this.#parts.clock.now()
    if (now < this.#tidiedAt + TIDY_MS) return
    this.#tidiedAt = now
    await this.#folder.tidy(now - KEPT_MS)
  }

  async #takeRound(names: readonly string[]): Promise<void> {
    const found: Found[] = []
    for (let from = 0; from < names.length; from += SLICE) {
      for (const name of names.slice(from, from + SLICE)) {
        const read = this.#read(name)
        if (read !== null) found.push(read)
      }
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
      const taken = await Promise.allSettled(
        slice.map(({ checkin, file }) => this.#parts.take(checkin, file.name)),
      )
      for (const [index, one] of slice.entries()) this.#settle(one, taken[index])
      const refused = taken.find((one) => one.status === 'rejected')
      // A file that cannot be stored stays; the others would fail too now.
      if (refused !== undefined) throw refused.reason
      this.backlog -= slice.length
    }
  }

  #settle({ file, checkin }: Found, taken: PromiseSettledResult<'taken' | 'unknown'> | undefined): void {
    const { name, placedMs } = file
    if (taken?.status !== 'fulfilled') return
    if (taken.value === 'taken') {
      this.#unknown.delete(name)
      return this.#folder.archive(name)
    }
    if (this.#parts.clock.now() - placedMs > KEPT_MS)
      this.#folder.setAside(name, 'its worker was unknown for a day')
    else this.#unknown.set(name, { worker: checkin.worker, placedMs })
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

  /** A file of an unknown worker is not read again until the worker is known or a day has passed. */
  #dueNow(): (name: string) => boolean {
    if (this.#unknown.size === 0) return () => true
    const known = this.#parts.known()
    const before = this.#parts.clock.now() - KEPT_MS
    return (name) => {
      const unknown = this.#unknown.get(name)
      return unknown === undefined || known.has(unknown.worker) || unknown.placedMs < before
    }
  }
}

/** When a file says that it was written; those that do not say it come first. */
const stampOf = (name: string): string => /\d{8}T\d{6}Z/.exec(name)?.[0] ?? ''

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
