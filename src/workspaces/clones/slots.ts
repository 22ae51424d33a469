/**
 * Numbered folders that are reused: each with a private folder beside it and a note of its holder. The name of the note
 * is the state of the slot, so that a change of state is one rename instead of creating and removing files.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { atomicWriteText } from '../../lib/files/atomic-write.ts'
import type { Quarantine } from '../quarantine.ts'
import { removeFolder } from '../../lib/files/remove-folder.ts'
import { WorkTree } from './work-tree.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { Checkout } from '../../ports/checkouts.ts'
import { orElse } from '../../lib/or-else.ts'

export interface Slot {
  readonly number: number
  readonly tree: WorkTree
}

/** The holder of a slot, and whether its folder is ready. */
export interface Held<Note> {
  readonly note: Note
  readonly isReady: boolean
}

const PREPARING = 'note.preparing'
const READY = 'note.json'
const FREE = 'note.free'

/** `Note` is what a slot may carry. */
export class Slots<Note = never> {
  readonly #quarantine: Quarantine
  readonly #folder: string
  readonly #private: string
  readonly #readNote: (text: string) => Note
  readonly #trees = new Map<number, WorkTree>()

  /** Slots lie in `<directory>/<name>/<n>`, what is private of them in `<directory>/private/<name>/<n>`. */
  constructor(options: {
    quarantine: Quarantine
    directory: string
    name: string
    readNote?: (text: string) => Note
  }) {
    this.#quarantine = options.quarantine
    this.#folder = join(options.directory, options.name)
    this.#private = join(options.directory, 'private', options.name)
    this.#readNote = options.readNote ?? unreadable
  }

  all(): readonly Slot[] {
    mkdirSync(this.#private, { recursive: true, mode: 0o700 })
    const names = readdirSync(this.#private)
    const numbers = names.filter((name) => /^\d+$/.test(name)).map(Number)
    return numbers.sort((a, b) => a - b).map((number) => this.#slot(number))
  }

  /** A slot that is free, the preferred one first, or else a new one. */
  take(isFree: (slot: Slot) => boolean, isPreferred: (slot: Slot) => boolean = () => false): Slot {
    const slots = this.all()
    const free = slots.filter(isFree)
    return free.find(isPreferred) ?? free[0] ?? this.#add(slots)
  }

  /** The note of the last holder of a free slot; null where it had none, or it cannot be read. */
  lastNote(slot: Slot): Note | null {
    return this.#noteIn(join(slot.tree.scratch, FREE))
  }

  /** The first number that is free, not yet on disk but for its private folder. */
  #add(taken: readonly Slot[]): Slot {
    const numbers = new Set(taken.map((slot) => slot.number))
    let number = 1
    while (numbers.has(number)) number++
    const slot = this.#slot(number)
    mkdirSync(slot.tree.scratch, { recursive: true, mode: 0o700 })
    return slot
  }

  /** Null for a free slot; whose a slot is does not show where its note cannot be read. */
  held(slot: Slot): Held<Note> | 'damaged' | null {
    for (const name of [READY, PREPARING]) {
      const path = join(slot.tree.scratch, name)
      if (!existsSync(path)) continue
      const note = this.#noteIn(path)
      return note === null ? 'damaged' : { note, isReady: name === READY }
    }
    return null
  }

  /** Null where it is missing, cut or written over. */
  #noteIn(path: string): Note | null {
    return orElse(() => this.#readNote(readFileSync(path, 'utf8')), null)
  }

  /** Takes the slot for a holder; it is not ready yet. */
  async hold(slot: Slot, note: Note): Promise<void> {
    this.free(slot)
    await atomicWriteText(join(slot.tree.scratch, FREE), `${JSON.stringify(note)}\n`)
    this.#move(slot, FREE, PREPARING)
  }

  setReady(slot: Slot): void {
    this.#move(slot, PREPARING, READY)
  }

  /** Frees the slot. */
  free(slot: Slot): void {
    for (const name of [READY, PREPARING])
      if (existsSync(join(slot.tree.scratch, name))) this.#move(slot, name, FREE)
  }

  #move(slot: Slot, from: string, to: string): void {
    renameSync(join(slot.tree.scratch, from), join(slot.tree.scratch, to))
  }

  /** Where a folder is, or would be, that was set aside under this name. */
  aside(name: string): string {
    return join(this.#folder, `kept-${name}`)
  }

  /** Moves a slot's folder out of the pool, where nothing of it is touched again. Answers where it is now. */
  async setAside(slot: Slot, name: string): Promise<string> {
    const kept = this.aside(name)
    await rename(slot.tree.path, kept)
    await removeFolder(slot.tree.scratch)
    return kept
  }

  /** Removes free slots and their folders except for `keep` of them, and what an earlier removal left behind. Returns how many. */
  async shrink(keep: number, isFree: (slot: Slot) => boolean): Promise<number> {
    const slots = this.all().filter(isFree).slice(keep)
    for (const slot of slots) {
      await removeFolder(slot.tree.path)
      await removeFolder(slot.tree.scratch)
    }
    const left = readdirSync(this.#private).filter((name) => name.endsWith('.trash'))
    for (const name of left) {
      // A removal that failed before and may fail again; nothing needs the folder.
      await removeFolder(join(this.#private, name)).catch(() => undefined)
    }
    return slots.length
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
}

function unreadable(): never {
  throw new Error('these slots carry no notes')
}

/**
 * Clean checkouts for gates: folders of their own in which no worker ever worked. Gates run a worker's code, so a
 * folder is verified against the tree before each use and not after it.
 */
export class CheckoutSlots {
  readonly #slots: Slots
  readonly #turns = new SerialQueue()
  /** Who uses a folder is known here only: a gate does not outlive Bosun. */
  readonly #busy = new Set<number>()

  constructor(options: { quarantine: Quarantine; directory: string }) {
    this.#slots = new Slots({ ...options, name: 'checkouts' })
  }

  /** A folder that holds that tree and nothing else; its HEAD stands at `head`, for gates that ask git. */
  async checkout(tree: string, head: string): Promise<Checkout> {
    const slot = await this.#turns.run(() => this.#take())
    let held = true
    const release = async (): Promise<void> => {
      if (held) this.#busy.delete(slot.number)
      held = false
    }
    try {
      await slot.tree.checkOut({ commit: head, tree })
      return { path: slot.tree.path, release }
    } catch (error) {
      await release()
      throw error
    }
  }

  /** Removes free folders except for `keep` of them. Returns how many. */
  shrink(keep: number): Promise<number> {
    return this.#turns.run(() => this.#slots.shrink(keep, this.#isFree))
  }

  readonly #isFree = (slot: Slot): boolean => !this.#busy.has(slot.number)

  async #take(): Promise<Slot> {
    const slot = this.#slots.take(this.#isFree)
    this.#busy.add(slot.number)
    return slot
  }
}
