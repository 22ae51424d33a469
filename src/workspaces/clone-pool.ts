/**
 * The work trees of workers. Each is a shared clone of the quarantine without a remote, on no branch; a folder that
 * is free is cleaned and used again, which writes only what differs.
 */
import * as z from 'zod'
import type { Clone } from './clone.ts'
import { OneAtATime } from './one-at-a-time.ts'
import type { Quarantine } from './quarantine.ts'
import { saveWork } from './snapshot.ts'
import { Slots, type Slot } from './slots.ts'
import type { CheckOut } from './work-tree.ts'

const Note = z.object({
  worker: z.string(),
  /** `preparing` until the files are there; a worker is started only after that. */
  state: z.enum(['preparing', 'ready']),
  start: z.object({
    commit: z.string(),
    tree: z.string().nullable(),
    sparse: z.array(z.string()).readonly().nullable(),
  }),
})
type Note = z.infer<typeof Note>

export type Released =
  | { readonly kind: 'free'; readonly salvage: string | null }
  /** Something in it could not be saved: the folder stays as it is, out of the pool. */
  | {
      readonly kind: 'kept'
      readonly salvage: string
      readonly path: string
      readonly unsaved: readonly string[]
    }
  | { readonly kind: 'unknown_worker' }

export class ClonePool {
  readonly #quarantine: Quarantine
  readonly #slots: Slots
  readonly #turns = new OneAtATime()

  constructor(options: { quarantine: Quarantine; directory: string }) {
    this.#quarantine = options.quarantine
    this.#slots = new Slots({ ...options, name: 'clones' })
  }

  /** A work tree that holds exactly what `start` says. Asked again for a worker, it is the same one, untouched. */
  acquire(worker: string, start: CheckOut): Promise<Clone> {
    return this.#turns.run(async () => {
      const held = await this.#heldBy(worker)
      if (held?.note.state === 'ready') return this.#clone(held.slot, held.note)
      const slot = held?.slot ?? (await this.#free())
      const note: Note = { worker, state: 'preparing', start }
      await this.#slots.setNote(slot, note)
      await slot.tree.checkOut(start)
      await this.#slots.setNote(slot, { ...note, state: 'ready' })
      return this.#clone(slot, note)
    })
  }

  /** The worker's work tree, or null. */
  async find(worker: string): Promise<Clone | null> {
    const held = await this.#heldBy(worker)
    return held === null || held.note.state === 'preparing' ? null : this.#clone(held.slot, held.note)
  }

  /** Saves what the worker wrote, then gives its folder back. */
  release(worker: string, atMs: number): Promise<Released> {
    return this.#turns.run(async () => {
      const held = await this.#heldBy(worker)
      if (held === null) return { kind: 'unknown_worker' }
      const clone = this.#clone(held.slot, held.note)
      const saved = held.note.state === 'ready' ? await saveWork(clone, atMs) : null
      if (saved !== null && saved.unsaved.length > 0) {
        const path = await this.#slots.setAside(held.slot, worker)
        return { kind: 'kept', salvage: saved.commit, path, unsaved: saved.unsaved }
      }
      await this.#slots.clearNote(held.slot)
      return { kind: 'free', salvage: saved?.commit ?? null }
    })
  }

  /** Which workers have a work tree. */
  async workers(): Promise<readonly string[]> {
    const notes = await this.#notes()
    return notes.map(({ note }) => note?.worker).filter((worker) => worker !== undefined)
  }

  /** Removes free folders but for so many. Answers how many went. */
  shrink(keep: number): Promise<number> {
    return this.#turns.run(async () => {
      const free = (await this.#notes()).filter(({ note }) => note === null).slice(keep)
      await this.#slots.remove(free.map(({ slot }) => slot))
      return free.length
    })
  }

  async #free(): Promise<Slot> {
    const notes = await this.#notes()
    const free = notes.find(({ note }) => note === null)
    return free?.slot ?? this.#slots.add(notes.map(({ slot }) => slot))
  }

  async #heldBy(worker: string): Promise<{ slot: Slot; note: Note } | null> {
    for (const { slot, note } of await this.#notes()) {
      if (note?.worker === worker) return { slot, note }
    }
    return null
  }

  async #notes(): Promise<{ slot: Slot; note: Note | null }[]> {
    const slots = await this.#slots.all()
    return Promise.all(
      slots.map(async (slot) => ({ slot, note: Note.nullable().parse(await this.#slots.note(slot)) })),
    )
  }

  #clone(slot: Slot, note: Note): Clone {
    return {
      worker: note.worker,
      path: slot.tree.path,
      start: note.start,
      tree: slot.tree,
      quarantine: this.#quarantine,
    }
  }
}
