/**
 * The work trees of workers. Each is a shared clone of the quarantine without a remote, on no branch; a folder that
 * is free is cleaned and used again, which writes only what differs.
 */
import * as z from 'zod'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { removeFiles } from '../../lib/files/env-file-copies.ts'
import { cgroupAt, detectContainment } from '../../lib/process/containment.ts'
import { killTree } from '../../lib/process/process-tree.ts'
import { fromText, pathText, type BytePath } from '../git/byte-path.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { NOTHING_PLACED, Placed, PlacedNote, type PlacedRecord } from './placed.ts'
import type { Quarantine } from '../quarantine.ts'
import type { Salvaged } from '../saved-work/salvage.ts'
import { saveWork } from '../saved-work/work-snapshot.ts'
import { Slots, type Held, type Slot } from './slots.ts'
import type { CheckOut, WorkTree } from './work-tree.ts'
import { join } from 'node:path'

const Note = z.object({
  worker: z.string(),
  start: z.object({
    commit: z.string(),
    tree: z.string().nullable(),
  }),
  /** By which whatever prepares it can be found and ended, also by another process. */
  mark: z.string(),
  /** The folder for what the worker hands to Bosun. */
  outbox: z.string(),
})
type Note = z.infer<typeof Note>

/** A work tree for a worker, and the worker whose folder it should be. */
interface Wanted {
  readonly worker: string
  readonly start: CheckOut
  readonly after: string | null
}

/** A worker is started only when it is ready. */
type HeldSlot = Held<Note> & { readonly slot: Slot; readonly placed: PlacedRecord }

/** A work tree that is checked out and not yet assigned. */
export interface Room {
  readonly path: string
  readonly start: CheckOut
  readonly tree: WorkTree
  /** For every command that is run in it. */
  readonly mark: string
  /** Records what will be placed before placing it, so that it can be cleaned up after a crash. */
  remember(record: PlacedRecord): Promise<void>
}

/** A worker's work tree, and what it was given to start with. */
export interface Clone {
  readonly worker: string
  readonly path: string
  readonly start: CheckOut
  readonly tree: WorkTree
  readonly quarantine: Quarantine
  /** The folder in it for what the worker hands to Bosun, by name. */
  readonly outbox: string
  /** What lies in it that is not the worker's. */
  readonly placed: Placed
}

/** Provisions a work tree and returns the record of what was placed. */
export type Provision = (room: Room) => Promise<PlacedRecord>

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
  readonly #slots: Slots<Note>
  readonly #turns = new SerialQueue()
  /** Provisioning takes as long as a set-up does; others get their turn meanwhile. */
  readonly #preparing = new Map<string, Promise<Clone>>()

  constructor(options: { quarantine: Quarantine; directory: string }) {
    this.#quarantine = options.quarantine
    const readNote = (text: string): Note => Note.parse(JSON.parse(text))
    this.#slots = new Slots({ ...options, name: 'clones', readNote })
  }

  /**
   * A provisioned work tree that holds exactly `start`. A repeated call for a worker returns the same one, untouched.
   * The folder that the worker `after` had is preferred: agents keep their sessions by folder.
   */
  acquire(
    worker: string,
    start: CheckOut,
    provision: Provision | null = null,
    after: string | null = null,
  ): Promise<Clone> {
    const preparing = this.#preparing.get(worker)
    if (preparing !== undefined) return preparing
    const prepared = this.#prepare({ worker, start, after }, provision).finally(() =>
      this.#preparing.delete(worker),
    )
    this.#preparing.set(worker, prepared)
    return prepared
  }

  /** The worker's work tree, or null. */
  async find(worker: string): Promise<Clone | null> {
    const held = this.#heldBy(worker)
    return held?.isReady === true ? this.#clone(held) : null
  }

  /** Removes the env files from the work tree of a worker that runs no more. What it wrote stays. */
  async removeSecrets(worker: string): Promise<void> {
    await this.#over(worker)
    const held = this.#heldBy(worker)
    if (held === null) return
    await removeFiles(held.slot.tree.path, texts(held.placed.secrets))
  }

  /** Saves the worker's files, unless that was just done, then releases its folder. */
  async release(
    worker: string,
    atMs: number,
    justSaved: Pick<Salvaged, 'commit' | 'unsaved'> | null = null,
  ): Promise<Released> {
    await this.#over(worker)
    return this.#turns.run(async () => {
      const held = this.#heldBy(worker)
      if (held === null) return { kind: 'unknown_worker' }
      const saved = held.isReady ? (justSaved ?? (await saveWork(this.#clone(held), atMs))) : null
      await this.#clear(held)
      if (saved !== null && saved.unsaved.length > 0) {
        const path = await this.#slots.setAside(held.slot, worker)
        return { kind: 'kept', salvage: saved.commit, path, unsaved: saved.unsaved }
      }
      this.#slots.free(held.slot)
      return { kind: 'free', salvage: saved?.commit ?? null }
    })
  }

  /** The folder of a worker in which something could not be saved; null where all could. It stays until the user removes it. */
  kept(worker: string): string | null {
    const path = this.#slots.aside(worker)
    return existsSync(path) ? path : null
  }

  /** Which workers have a work tree. */
  async workers(): Promise<readonly string[]> {
    return this.#held().map(({ note }) => note.worker)
  }

  /** The folders of which it is not known whose they are, or what in them is the worker's: nothing touches them. */
  damaged(): readonly string[] {
    return this.#slots.all().flatMap((slot) => (this.#heldIn(slot) === 'damaged' ? [slot.tree.path] : []))
  }

  /** Removes free folders except for `keep` of them. Returns how many. */
  shrink(keep: number): Promise<number> {
    return this.#turns.run(() => this.#slots.shrink(keep, this.#isFree))
  }

  async #prepare(wanted: Wanted, provision: Provision | null): Promise<Clone> {
    const held = await this.#turns.run(() => this.#hold(wanted))
    if (held.isReady) return this.#clone(held)
    const { slot, note } = held
    const placed = new PlacedNote(slot.tree.scratch)
    if (provision !== null) {
      const room: Room = {
        path: slot.tree.path,
        start: note.start,
        tree: slot.tree,
        mark: note.mark,
        remember: (record) => placed.write(record),
      }
      try {
        const record = await provision(room)
        await placed.write(record)
        const ours = [...new Placed(record).whole, ...paths(Object.keys(record.files))]
        if (ours.length > 0) await slot.tree.restoreFiles(note.start, [...ours, fromText(note.outbox)])
      } catch (error) {
        await this.#clear({ slot, note, placed: placed.read() ?? NOTHING_PLACED })
        throw error
      }
    }
    // Throws if anything lies in its place.
    mkdirSync(join(slot.tree.path, note.outbox), { mode: 0o700 })
    this.#slots.setReady(slot)
    return this.#clone({ ...held, placed: placed.read() ?? NOTHING_PLACED })
  }

  /** The worker's folder as it is, or one that was just checked out for it. */
  async #hold({ worker, start, after }: Wanted): Promise<HeldSlot> {
    const held = this.#heldBy(worker)
    if (held?.isReady === true) return held
    if (held !== null) await endLeftOver(held.note.mark)
    const wasIts = (slot: Slot): boolean => after !== null && this.#slots.lastNote(slot)?.worker === after
    const slot = held?.slot ?? this.#slots.take(this.#isFree, wasIts)
    const outbox = await outboxName(this.#quarantine, start)
    const note: Note = { worker, start, mark: randomUUID(), outbox }
    await this.#slots.hold(slot, note)
    await slot.tree.checkOut(start, [fromText(outbox)])
    new PlacedNote(slot.tree.scratch).clear()
    return { slot, note, isReady: false, placed: NOTHING_PLACED }
  }

  /** Removes everything Bosun placed from a free folder. Env files go first, whatever happens to the rest. */
  async #clear({ slot, note, placed }: Omit<HeldSlot, 'isReady'>): Promise<void> {
    await removeFiles(slot.tree.path, texts(placed.secrets))
    // What resists is removed with everything else when the folder is used again.
    await removeFiles(slot.tree.path, texts([...placed.folders, fromText(note.outbox)])).catch(
      () => undefined,
    )
  }

  /** Waits until its preparation has ended, successful or not. */
  async #over(worker: string): Promise<void> {
    await this.#preparing.get(worker)?.catch(() => undefined)
  }

  readonly #isFree = (slot: Slot): boolean => this.#slots.held(slot) === null

  #heldBy(worker: string): HeldSlot | null {
    return this.#held().find(({ note }) => note.worker === worker) ?? null
  }

  #held(): readonly HeldSlot[] {
    return this.#slots.all().flatMap((slot) => {
      const held = this.#heldIn(slot)
      return held === null || held === 'damaged' ? [] : [held]
    })
  }

  #heldIn(slot: Slot): HeldSlot | 'damaged' | null {
    const held = this.#slots.held(slot)
    if (held === null || held === 'damaged') return held
    const placed = new PlacedNote(slot.tree.scratch).read()
    if (placed === null) return 'damaged'
    return { slot, ...held, placed }
  }

  #clone({ slot, note, placed }: HeldSlot): Clone {
    return {
      worker: note.worker,
      path: slot.tree.path,
      start: note.start,
      tree: slot.tree,
      quarantine: this.#quarantine,
      outbox: note.outbox,
      placed: new Placed({ ...placed, folders: [...placed.folders, fromText(note.outbox)] }),
    }
  }
}

/** A set-up that outlived the Bosun which ran it. */
async function endLeftOver(mark: string): Promise<void> {
  const containment = await detectContainment()
  const parent = containment.kind === 'group' ? (containment.cgroup ?? null) : null
  const cgroup = parent === null ? null : cgroupAt(parent, mark)
  await killTree({ leader: { boot: '', pid: 0, start: '' }, mark, kind: 'group', cgroup })
}

const paths = (all: readonly string[]): readonly BytePath[] => all as readonly BytePath[]
const texts = (all: readonly string[]): readonly string[] => paths(all).map(pathText)

/**
 * The folder in a worker's clone for what it hands to Bosun: its report, and check-ins it cannot leave elsewhere. It
 * lies in the clone because sandboxes let an agent write nowhere else, and not under `.git`, which some keep read-only.
 */
const NAME = '.bosun'

/** A name that neither the commit nor the tree in the clone holds. Case does not matter on some disks. */
async function outboxName(quarantine: Quarantine, { commit, tree }: CheckOut): Promise<string> {
  const taken = new Set<string>()
  for (const held of [commit, ...(tree === null ? [] : [tree])])
    for (const { name } of await quarantine.trees.entries(held)) taken.add(name.toLowerCase())
  let name = NAME
  for (let other = 1; taken.has(name); other++) name = `${NAME}-worker${other === 1 ? '' : `-${other}`}`
  return name
}
