/**
 * Copies of folders that came back just as they were handed out: passing one on is cheaper than copying it anew. Like an
 * unused home, a copy shows by the ctimes of its files that nothing in it was changed.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addedTo, sightOf, type FolderSight } from './folder-sight.ts'

interface Lent {
  readonly key: string
  readonly entries: readonly string[]
  readonly sight: FolderSight
}

interface Kept extends Lent {
  readonly folder: string
}

export class ReturnedFolders {
  readonly #folder: string
  readonly #most: number
  /** By the root that holds them. */
  readonly #lent = new Map<string, Lent>()
  #kept: readonly Kept[] = []

  /** Keeps at most `most` unused copies in this folder, which must lie on the file system of the roots. */
  constructor(folder: string, most: number) {
    this.#folder = folder
    this.#most = most
  }

  /** Removes what an earlier process left. Only before anything is kept. */
  async sweep(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Remembers these folders of the root as they are now, so that they may come back. */
  async lend(key: string, root: string, entries: readonly string[]): Promise<void> {
    const sight = entries.length === 0 ? null : await sightOf(root, entries)
    if (sight !== null) this.#lent.set(root, { key, entries, sight })
  }

  /** Moves an unused copy into the root; false if there is none. */
  async take(key: string, root: string): Promise<boolean> {
    const kept = this.#kept.find((one) => one.key === key)
    if (kept === undefined) return false
    this.#kept = this.#kept.filter((one) => one !== kept)
    const { folder, ...lent } = kept
    const isMoved = await move(
      kept.entries,
      (_, place) => join(folder, String(place)),
      (entry) => join(root, entry),
    )
    await rm(folder, { recursive: true, force: true })
    const left = isMoved ? await addedTo(lent.sight, root, lent.entries) : null
    // Something changed it while it was unused.
    if (left === null || left.length > 0) return false
    this.#lent.set(root, lent)
    return true
  }

  /** Keeps what was lent to this root if nothing in it has changed; what was added is removed first. */
  async giveBack(root: string): Promise<void> {
    const lent = this.#lent.get(root)
    if (lent === undefined) return
    this.#lent.delete(root)
    if (this.#kept.length >= this.#most) return
    const added = await addedTo(lent.sight, root, lent.entries)
    if (added === null) return
    for (const path of added) await rm(join(root, path), { recursive: true, force: true })
    const folder = join(this.#folder, randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const isMoved = await move(
      lent.entries,
      (entry) => join(root, entry),
      (_, place) => join(folder, String(place)),
    )
    if (isMoved && this.#kept.length < this.#most) this.#kept = [...this.#kept, { ...lent, folder }]
    else await rm(folder, { recursive: true, force: true })
  }

  /** What was lent to this root does not come back. */
  forget(root: string): void {
    this.#lent.delete(root)
  }
}

type PlaceOf = (entry: string, place: number) => string

/** False if an entry could not be moved, such as to another file system. */
async function move(entries: readonly string[], from: PlaceOf, to: PlaceOf): Promise<boolean> {
  try {
    for (const [place, entry] of entries.entries()) {
      const target = to(entry, place)
      await rm(target, { recursive: true, force: true })
      await mkdir(dirname(target), { recursive: true })
      await rename(from(entry, place), target)
    }
    return true
  } catch {
    // The caller copies instead.
    return false
  }
}
