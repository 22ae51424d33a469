/**
 * A folder into which other programs put files. Its content is untrusted: links are not followed, large files are not read,
 * nothing is run, and invalid files are set aside with the reason beside them.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  watch,
  type FSWatcher,
} from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '../../core/state/state.ts'
import { MAX_CHECKIN_BYTES } from '../../core/watch/checkins/checkin.ts'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { readIfExists, readRegularIfExists } from '../../lib/files/read-if-exists.ts'
import { orElse } from '../../lib/or-else.ts'
import { jsonIn } from '../../lib/text/json.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import { errorCode } from '../../lib/files/system-error.ts'
import type { Host } from '../host/host.ts'

/** How long a file that is not complete may be on its way. */
const HALF_MS = 10_000
const TIDY_MS = 3_600_000
/** The rest has its turn in the next sweep. */
const MOST_AT_ONCE = 500

export interface DroppedFile {
  readonly name: string
  readonly value: unknown
  /** When it was put here, and when it was written. */
  readonly placedMs: number
  readonly writtenMs: number
}

/** A folder of a repository. */
export interface DropPlace {
  readonly host: Host
  readonly repository: string
  readonly folder: DropFolder
}

interface DropFolders {
  /** Where files are put. */
  readonly pending: string
  /** Where those go that were dealt with, and the invalid ones. */
  readonly done: string
  readonly malformed: string
  /** How long files lie in those. */
  readonly keptMs: number
  /** What it means that one of them is not usable. */
  readonly consequence: string
  /** Why a file of this name is not read; null if it is. */
  readonly nameProblem: (name: string) => string | null
  /** Takes secrets out of files that are set aside; none are held if absent. */
  readonly hide?: Redactor | undefined
  /** Called for each invalid file. */
  readonly onMalformed?: ((name: string, problem: string) => void) | undefined
}

export class DropFolder {
  readonly #folders: DropFolders
  /** Files that are not complete, and since when. */
  readonly #halves = new Map<string, Instant>()
  #tidiedAt = Number.NEGATIVE_INFINITY
  #watcher: { readonly watcher: FSWatcher; readonly inode: number } | null = null

  constructor(folders: DropFolders) {
    this.#folders = folders
  }

  /** Creates missing folders. Throws if one is not usable. */
  prepare(): void {
    const { pending, done, malformed, consequence } = this.#folders
    requireFolders([join(pending, '..'), pending, done, malformed], consequence)
  }

  /** Calls back on changes. Where the system has no watches left, looking from time to time remains. */
  watch(onChange: () => void): void {
    const inode = lstatSync(this.#folders.pending).ino
    if (this.#watcher?.inode === inode) return
    this.close()
    const watcher = watch(this.#folders.pending, onChange)
    watcher.on('error', () => watcher.close())
    this.#watcher = { watcher, inode }
  }

  close(): void {
    this.#watcher?.watcher.close()
    this.#watcher = null
  }

  /** The names of the files in it, in order. */
  async names(): Promise<string[]> {
    const { pending, done, malformed } = this.#folders
    const own = new Set([done, malformed])
    const names = await readdir(pending)
    return names.filter((name) => !name.startsWith('.') && !own.has(join(pending, name))).toSorted()
  }

  /** Null for a file that is gone, not complete yet, or was set aside. */
  read(name: string, now: Instant): DroppedFile | null {
    const problem = this.#folders.nameProblem(name)
    const file =
      problem === null ? readFile(this.#folders.pending, name) : ({ kind: 'half', problem } as const)
    if (file.kind === 'half') {
      const since = this.#halves.get(name) ?? now
      this.#halves.set(name, since)
      if (now - since >= HALF_MS) this.setAside(name, file.problem)
      return null
    }
    this.#halves.delete(name)
    if (file.kind === 'bad') this.setAside(name, file.problem)
    return file.kind === 'read' ? { name, ...file } : null
  }

  /** The complete files in order of name, as many as are looked at in one go. */
  async readSome(now: Instant): Promise<readonly DroppedFile[]> {
    const names = (await this.names()).slice(0, MOST_AT_ONCE)
    return names.flatMap((name) => this.read(name, now) ?? [])
  }

  /** Moves an invalid file away, with the reason beside it. */
  setAside(name: string, problem: string): void {
    const { pending, malformed, onMalformed } = this.#folders
    this.#halves.delete(name)
    moveIfThere(join(pending, name), join(malformed, name))
    this.#clean(join(malformed, name))
    const short = name.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 200)
    atomicWriteSync(join(malformed, `${short}.reason.txt`), `${problem}\n`, { sync: 'none' })
    onMalformed?.(name, problem)
  }

  /** A file that cannot be read has no text. */
  #clean(path: string): void {
    const { hide } = this.#folders
    if (hide === undefined) return
    const text = orElse(() => readRegularIfExists(path, MAX_CHECKIN_BYTES), null)
    if (text !== null && hide.text(text) !== text) atomicWriteSync(path, hide.text(text), { sync: 'none' })
  }

  write(name: string, value: unknown): void {
    writeDocument(join(this.#folders.pending, name), value)
  }

  remove(name: string): void {
    rmSync(join(this.#folders.pending, name), { force: true })
  }

  /** It was dealt with. With `kept` that is what is kept of it. */
  archive(name: string, kept?: unknown): void {
    if (kept === undefined)
      return moveIfThere(join(this.#folders.pending, name), join(this.#folders.done, name))
    writeDocument(join(this.#folders.done, name), kept)
    this.remove(name)
  }

  /** The same with what came of it. `otherwise` is its name if one of the same name is there already. */
  finish(name: string, value: unknown, otherwise = name): void {
    const path = join(this.#folders.done, name)
    writeDocument(existsSync(path) ? join(this.#folders.done, otherwise) : path, value)
    this.remove(name)
  }

  /** Removes files that were dealt with, and those that were begun and never put in place, once an hour. */
  async tidy(now: Instant): Promise<void> {
    if (now < this.#tidiedAt + TIDY_MS) return
    this.#tidiedAt = now
    const { pending, done, malformed, keptMs } = this.#folders
    const before = now - keptMs
    await removeOlder(done, before)
    await removeOlder(malformed, before)
    await removeOlder(pending, before, (name) => name.startsWith('.') && name.endsWith('.part'))
  }
}

/** Why a path is not usable as our folder; null if it is. Creates a missing one. */
export function folderProblem(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return null
  }
  if (found.isSymbolicLink()) return `${path} is a symbolic link and is not followed`
  if (!found.isDirectory()) return `${path} is not a folder`
  const isOurs = process.getuid === undefined || found.uid === process.getuid()
  return isOurs ? null : `${path} belongs to another user`
}

/** Creates missing folders, in this order. Throws with the `consequence` if one is not usable. */
export function requireFolders(paths: readonly string[], consequence: string): void {
  for (const path of paths) {
    const problem = folderProblem(path)
    if (problem !== null) throw new Error(`${problem}; ${consequence}`)
  }
}

/** Not synced: the daemon can write each of them again. */
export function writeDocument(path: string, value: unknown): void {
  const text = `${JSON.stringify(value, null, 2)}\n`
  if (readIfExists(path) !== text) atomicWriteSync(path, text, { sync: 'none' })
}

/** Removes what has lain in a folder since before an instant: whenever it says it was written, it was put there later. */
export async function removeOlder(
  folder: string,
  beforeMs: number,
  matches: (name: string) => boolean = () => true,
): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!matches(name)) continue
    const path = join(folder, name)
    const found = await lstat(path).catch(() => null)
    if (found !== null && found.ctimeMs < beforeMs) await rm(path, { recursive: true, force: true })
  }
}

type FileRead =
  | { readonly kind: 'read'; readonly value: unknown; readonly placedMs: number; readonly writtenMs: number }
  /** It may still be written. */
  | { readonly kind: 'half'; readonly problem: string }
  | { readonly kind: 'bad'; readonly problem: string }
  | { readonly kind: 'gone' }

/** Links are not followed, and what would make a reader wait is not waited for. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Synchronous: a small file takes less time than handing it to a thread. */
export function readFile(folder: string, name: string, maxBytes = MAX_CHECKIN_BYTES): FileRead {
  let file: number
  try {
    file = openSync(join(folder, name), FLAGS)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return { kind: 'gone' }
    if (code === 'EMFILE' || code === 'ENFILE') throw error
    const problem = code === 'ELOOP' ? 'it is a link' : `it cannot be opened (${String(code)})`
    return { kind: 'bad', problem }
  }
  try {
    const found = fstatSync(file)
    const { size, mtimeMs, ctimeMs } = found
    if (!found.isFile()) return { kind: 'bad', problem: 'it is not a regular file' }
    if (size > maxBytes) return { kind: 'bad', problem: `it is larger than ${maxBytes} bytes` }
    const bytes = Buffer.allocUnsafe(size)
    const value = jsonIn(bytes.toString('utf8', 0, readSync(file, bytes, 0, size, 0)))
    return value === undefined
      ? { kind: 'half', problem: 'it is not valid JSON, or incomplete' }
      : { kind: 'read', value, placedMs: ctimeMs, writtenMs: mtimeMs }
  } finally {
    closeSync(file)
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

export class Troubles {
  readonly #onError: (what: string, error: unknown) => void
  readonly #reported = new Map<string, string>()

  constructor(onError: (what: string, error: unknown) => void) {
    this.#onError = onError
  }

  /** False if it failed. Never rejects. */
  async attend(what: string, work: () => Promise<void> | void): Promise<boolean> {
    try {
      await work()
      this.#reported.delete(what)
      return true
    } catch (error) {
      this.report(what, error)
      return false
    }
  }

  report(what: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    if (this.#reported.get(what) !== message) this.#onError(what, error)
    this.#reported.set(what, message)
  }
}
