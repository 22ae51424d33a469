/** A folder for files of others, and where they go when processed. Links are not followed and nothing is run. */
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Instant } from '../../core/state/state.ts'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { isEmpty, putAside, readSpoolFile, removeOlder, requireFolders } from '../checkins/spool-folder.ts'

/** How long a file that is not whole may be on its way. */
const HALF_MS = 10_000
/** Files that are looked at in one go; the rest has its turn in the next. */
const MOST_AT_ONCE = 500
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,220}\.json$/

export interface DroppedFile {
  readonly name: string
  readonly value: unknown
}

export class DropFolder {
  readonly pending: string
  /** Where what was dealt with goes. */
  readonly done: string
  readonly #malformed: string
  readonly #halves = new Map<string, Instant>()

  constructor(folder: string, done: 'processed' | 'resolved') {
    this.pending = join(folder, 'pending')
    this.done = join(folder, done)
    this.#malformed = join(folder, 'malformed')
  }

  /** Creates missing folders. Throws if one is not usable. */
  prepare(): void {
    const folders = [dirname(this.pending), this.pending, this.done, this.#malformed]
    requireFolders(folders, 'its files are ignored. Remove it, and it will be created again')
  }

  /** The complete files in order of name. Invalid ones are set aside with the reason. */
  async read(now: Instant): Promise<readonly DroppedFile[]> {
    if (isEmpty(this.pending)) return []
    const names = (await readdir(this.pending)).filter((name) => !name.startsWith('.')).toSorted()
    const files: DroppedFile[] = []
    for (const name of names.slice(0, MOST_AT_ONCE)) {
      const found = NAME.test(name)
        ? readSpoolFile(this.pending, name)
        : ({
            kind: 'half',
            problem: 'the name must consist of letters, digits, - and _ and end in .json',
          } as const)
      if (found.kind !== 'half') this.#halves.delete(name)
      if (found.kind === 'read') files.push({ name, value: found.value })
      if (found.kind === 'bad') this.putAside(name, found.problem)
      if (found.kind === 'half') this.#wait(name, found.problem, now)
    }
    return files
  }

  putAside(name: string, problem: string): void {
    this.#halves.delete(name)
    putAside({ from: this.pending, to: this.#malformed, name }, problem)
  }

  write(name: string, value: unknown): void {
    writeDocument(join(this.pending, name), value)
  }

  /**
   * It was dealt with: what came of it is in the file then. `otherwise` is its name among those that are done, where one of
   * the same name is there already.
   */
  async finish(name: string, value: unknown, otherwise = name): Promise<void> {
    const isTaken = existsSync(join(this.done, name))
    writeDocument(join(this.done, isTaken ? otherwise : name), value)
    await this.remove(name)
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.pending, name), { force: true })
  }

  async tidy(before: Instant): Promise<void> {
    await removeOlder(this.done, before)
    await removeOlder(this.#malformed, before)
  }

  #wait(name: string, problem: string, now: Instant): void {
    const since = this.#halves.get(name) ?? now
    this.#halves.set(name, since)
    if (now - since >= HALF_MS) this.putAside(name, problem)
  }
}

/** Not synced: the daemon can write each of them again. */
export const writeDocument = (path: string, value: unknown): void =>
  atomicWriteSync(path, `${JSON.stringify(value, null, 2)}\n`, { sync: 'none' })
