/** Numbered folders that are used again: each with a private folder beside it and a note of who has it. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceSynced } from '../lib/synced-file.ts'
import { textIfThere } from '../lib/text-if-there.ts'
import type { Quarantine } from './quarantine.ts'
import { removeFolder } from '../lib/remove-folder.ts'
import { WorkTree } from './work-tree.ts'

export interface Slot {
  readonly number: number
  readonly tree: WorkTree
}

export class Slots {
  readonly #quarantine: Quarantine
  readonly #folder: string
  readonly #private: string
  readonly #trees = new Map<number, WorkTree>()

  /** Slots lie in `<directory>/<name>/<n>`, what is private of them in `<directory>/private/<name>/<n>`. */
  constructor(options: { quarantine: Quarantine; directory: string; name: string }) {
    this.#quarantine = options.quarantine
    this.#folder = join(options.directory, options.name)
    this.#private = join(options.directory, 'private', options.name)
  }

  all(): readonly Slot[] {
    mkdirSync(this.#private, { recursive: true, mode: 0o700 })
    const names = readdirSync(this.#private)
    const numbers = names.filter((name) => /^\d+$/.test(name)).map(Number)
    return numbers.sort((a, b) => a - b).map((number) => this.#slot(number))
  }

  /** The first number that is free, not yet on disk but for its private folder. */
  add(taken: readonly Slot[]): Slot {
    const numbers = new Set(taken.map((slot) => slot.number))
    let number = 1
    while (numbers.has(number)) number++
    const slot = this.#slot(number)
    mkdirSync(slot.tree.scratch, { recursive: true, mode: 0o700 })
    return slot
  }

  /** The note a slot carries, as it was written; null where there is none. */
  note(slot: Slot): unknown {
    const text = textIfThere(this.#notePath(slot))
    return text === null ? null : (JSON.parse(text) as unknown)
  }

  setNote(slot: Slot, note: unknown): Promise<void> {
    return replaceSynced(this.#notePath(slot), `${JSON.stringify(note)}\n`)
  }

  clearNote(slot: Slot): void {
    rmSync(this.#notePath(slot), { force: true })
  }

  /** Moves a slot's folder out of the pool, where nothing of it is touched again. Answers where it is now. */
  async setAside(slot: Slot, name: string): Promise<string> {
    const kept = join(this.#folder, `kept-${name}`)
    await rename(slot.tree.path, kept)
    await removeFolder(slot.tree.scratch)
    return kept
  }

  /** Removes slots and their folders, and what an earlier removal left behind. */
  async remove(slots: readonly Slot[]): Promise<void> {
    for (const slot of slots) {
      await removeFolder(slot.tree.path)
      await removeFolder(slot.tree.scratch)
    }
    const left = readdirSync(this.#private).filter((name) => name.endsWith('.trash'))
    for (const name of left) {
      // It was cleared away before, so nobody needs it; it may resist once more.
      await removeFolder(join(this.#private, name)).catch(() => undefined)
    }
  }

  #slot(number: number): Slot {
    const known = this.#trees.get(number)
    if (known !== undefined) return { number, tree: known }
    const tree = new WorkTree({
      quarantine: this.#quarantine,
      path: join(this.#folder, String(number)),
      private: join(this.#private, String(number)),
    })
    this.#trees.set(number, tree)
    return { number, tree }
  }

  #notePath(slot: Slot): string {
    return join(slot.tree.scratch, 'note.json')
  }
}
