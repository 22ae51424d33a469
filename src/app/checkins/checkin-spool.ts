/**
 * Takes in check-ins that workers leave as files, in order of time, including those left while no daemon ran. A file is
 * removed once its check-in is durable: after a crash it is read again and recognized.
 */
import { lstatSync, watch, type FSWatcher } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import type { Instant } from '../../core/state/state.ts'
import { Debounce } from '../../engine/debounce.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { Clock } from '../../ports/clock.ts'
import { readCheckinFile, type ReadFile } from './read-checkin.ts'
import {
  archive,
  ARCHIVE,
  MALFORMED,
  putAside,
  readSpoolFile,
  removeOlder,
  requireFolders,
} from './spool-folder.ts'

export interface SpoolParts {
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
/** How long a file that is not whole may be on its way. */
const HALF_MS = 10_000
const KEPT_MS = 24 * 3_600_000
const TIDY_MS = 3_600_000
/** Files that are put into order together, and those that are handled before others have their turn. */
const ROUND = 4096
const SLICE = 64

interface Found {
  readonly name: string
  readonly checkin: ReadFile
  readonly placedMs: number
  readonly writtenMs: number
}

export class CheckinSpool {
  readonly #parts: SpoolParts
  /** Files that are not whole, and since when. */
  readonly #halves = new Map<string, Instant>()
  /** Files of workers that are not known yet, and when they were written. */
  readonly #unknown = new Map<string, { readonly worker: string; readonly placedMs: number }>()
  #malformed: Malformed[] = []
  #watcher: { readonly watcher: FSWatcher; readonly inode: number } | null = null
  #sweeping: Promise<void> | null = null
  #isDirty = false
  #cancelSweep: () => void = () => undefined
  readonly #soon: Debounce
  #tidiedAt = Number.NEGATIVE_INFINITY
  #trouble: string | null = null
  #closed = false
  /** Files that were there and not yet taken when it last looked. */
  backlog = 0

  constructor(parts: SpoolParts) {
    this.#parts = parts
    this.#soon = new Debounce(parts.clock, () => void this.sweep())
  }

  /** Looks now, on every change, and every few seconds in any case. */
  start(): void {
    this.#cancelSweep = this.#parts.clock.wake(SWEEP_MS, () => this.start())
    void this.sweep()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancelSweep()
    this.#watcher?.watcher.close()
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
        this.#report(error)
      }
    }
  }

  /** Reports the same problem once. */
  #report(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    if (message !== this.#trouble) this.#parts.onError('check-in files', error)
    this.#trouble = message
  }

  async #sweepOnce(): Promise<void> {
    const { folder, clock } = this.#parts
    const folders = [folder, join(folder, ARCHIVE), join(folder, MALFORMED)]
    requireFolders(folders, 'check-ins by file are ignored. Remove it, and it will be created again')
    this.#watch()
    const isDue = this.#dueNow()
    const names = (await readdir(folder)).filter((name) => isCandidate(name) && isDue(name))
    this.backlog = names.length
    names.sort((one, other) => compare(stampOf(one), stampOf(other)) || compare(one, other))
    for (let from = 0; from < names.length && !this.#closed; from += ROUND)
      await this.#takeRound(names.slice(from, from + ROUND))
    this.#reportMalformed()
    await this.#tidy(clock.now())
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
        one.checkin.at - other.checkin.at || one.writtenMs - other.writtenMs || compare(one.name, other.name),
    )
    for (let from = 0; from < found.length && !this.#closed; from += SLICE) {
      const slice = found.slice(from, from + SLICE)
      const taken = await Promise.allSettled(
        slice.map(({ checkin, name }) => this.#parts.take(checkin, name)),
      )
      for (const [index, file] of slice.entries()) this.#settle(file, taken[index])
      const refused = taken.find((one) => one.status === 'rejected')
      // A file that cannot be stored stays; the others would fail too now.
      if (refused !== undefined) throw refused.reason
      this.backlog -= slice.length
    }
  }

  #settle(file: Found, taken: PromiseSettledResult<'taken' | 'unknown'> | undefined): void {
    const { folder, clock } = this.#parts
    const { name, placedMs } = file
    if (taken?.status !== 'fulfilled') return
    if (taken.value === 'taken') {
      this.#unknown.delete(name)
      return archive(folder, name)
    }
    if (clock.now() - placedMs > KEPT_MS) this.#putAside(name, 'its worker was unknown for a day')
    else this.#unknown.set(name, { worker: file.checkin.worker, placedMs })
  }

  #read(name: string): Found | null {
    const { folder, clock } = this.#parts
    const file = name.endsWith('.json')
      ? readSpoolFile(folder, name)
      : ({ kind: 'half', problem: 'the name does not end in .json' } as const)
    if (file.kind === 'half') {
      const since = this.#halves.get(name) ?? clock.now()
      this.#halves.set(name, since)
      if (clock.now() - since >= HALF_MS) this.#putAside(name, file.problem)
      return null
    }
    this.#halves.delete(name)
    if (file.kind === 'gone') return null
    if (file.kind === 'bad') return this.#putAside(name, file.problem)
    const reading = readCheckinFile(file.value, clock.now(), file.writtenMs)
    if (!reading.ok) return this.#putAside(name, reading.problem)
    return { name, checkin: reading.checkin, placedMs: file.placedMs, writtenMs: file.writtenMs }
  }

  #putAside(name: string, problem: string): null {
    const { folder } = this.#parts
    putAside({ from: folder, to: join(folder, MALFORMED), name }, problem)
    this.#halves.delete(name)
    this.#unknown.delete(name)
    this.#malformed.push({ file: terminalLine(name), problem })
    return null
  }

  #reportMalformed(): void {
    if (this.#malformed.length > 0) this.#parts.onMalformed(this.#malformed)
    this.#malformed = []
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

  #watch(): void {
    const inode = lstatSync(this.#parts.folder).ino
    if (this.#watcher?.inode === inode || this.#closed) return
    this.#watcher?.watcher.close()
    this.#watcher = null
    try {
      const watcher = watch(this.#parts.folder, () => this.#soon.ask(SOON_MS))
      // The system may run out of watches: looking from time to time is left.
      watcher.on('error', () => watcher.close())
      this.#watcher = { watcher, inode }
    } catch (error) {
      this.#report(error)
    }
  }

  async #tidy(now: Instant): Promise<void> {
    if (now < this.#tidiedAt + TIDY_MS) return
    this.#tidiedAt = now
    const { folder } = this.#parts
    const before = now - KEPT_MS
    await removeOlder(join(folder, ARCHIVE), before)
    await removeOlder(join(folder, MALFORMED), before)
    // What was begun and never put in place.
    await removeOlder(folder, before, (name) => name.startsWith('.') && name.endsWith('.part'))
  }
}

const isCandidate = (name: string): boolean => !name.startsWith('.') && name !== ARCHIVE && name !== MALFORMED

/** When a file says that it was written; those that do not say it come first. */
const stampOf = (name: string): string => /\d{8}T\d{6}Z/.exec(name)?.[0] ?? ''

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
