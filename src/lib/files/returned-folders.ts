/**
 * Copies of folders that came back just as they were handed out: passing one on is cheaper than copying it anew. Like an
 * unused home, a copy shows by the ctimes of its files that nothing in it was changed.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { builtEnvironment } from '../process/built-environment.ts'
import { textOf } from '../process/output-keeper.ts'
import { runCapped } from '../process/run-capped.ts'

const LOOK_MS = 60_000
/** Longer than the tick of any system clock: two changes within one tick have the same ctime. */
const TICK_MS = 20
const MOST_LISTING_BYTES = 256 * 1024 * 1024

interface Lent {
  readonly key: string
  readonly entries: readonly string[]
  readonly sight: ReadonlySet<string>
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
    await pause(TICK_MS)
    const found = entries.length === 0 ? null : await look(root, entries)
    if (found === null || found.isLinkedElsewhere) return
    this.#lent.set(root, { key, entries, sight: new Set(found.paths.keys()) })
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
    const left = isMoved ? await changesOf(root, lent) : null
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
    const added = await changesOf(root, lent)
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

/** The paths that were added; null if anything was changed or removed, or cannot be compared. */
async function changesOf(root: string, { entries, sight }: Lent): Promise<readonly string[] | null> {
  const found = await look(root, entries)
  if (found === null || found.isLinkedElsewhere) return null
  const added = [...found.paths].flatMap(([mark, path]) => (sight.has(mark) ? [] : [path]))
  return found.paths.size - added.length === sight.size ? added : null
}

interface Look {
  /** By what shows a change: path, inode, permissions and, but for folders, size and ctime. */
  readonly paths: ReadonlyMap<string, string>
  /** Whether a file has a name outside of these folders, through which it could be changed later. */
  readonly isLinkedElsewhere: boolean
}

/** Without it, no other file with the same mark can be searched for. */
const KEY = randomBytes(16).toString('hex')
const FOLDERS = String.raw`d 1 %i %m %U:%G - - %p\0`
const FILES = String.raw`%y %n %i %m %U:%G %s %C@ %p\0`
/** So many paths are read without a pause for other work of this process. */
const SLICE = 5000

/** `find` sees a hundred thousand files in a second. Null where it cannot tell, or where an entry is no folder. */
async function look(root: string, entries: readonly string[]): Promise<Look | null> {
  const folders = new Set(entries.map((entry) => `./${entry}`))
  const { outcome, output } = await runCapped({
    command: ['find', ...folders, '(', '-type', 'd', '-printf', FOLDERS, ')', '-o', '-printf', FILES],
    cwd: root,
    env: builtEnvironment(process.env),
    timeoutMs: LOOK_MS,
    maxOutputBytes: MOST_LISTING_BYTES,
  })
  if (outcome.kind !== 'exited' || outcome.code !== 0 || output.omittedBytes > 0) return null
  const paths = new Map<string, string>()
  const names = new Map<string, { readonly links: number; readonly seen: number }>()
  for (const [at, line] of textOf(output).split('\0').entries()) {
    if (at % SLICE === SLICE - 1) await nextTurn()
    if (line === '') continue
    const [type, links = '', inode = '', , , , , ...words] = line.split(' ')
    const path = words.join(' ')
    if (type === 'd') folders.delete(path)
    if (Number(links) > 1) names.set(inode, { links: Number(links), seen: (names.get(inode)?.seen ?? 0) + 1 })
    paths.set(hash('sha256', `${KEY} ${line}`, 'base64').slice(0, 20), path)
  }
  if (folders.size > 0) return null
  return { paths, isLinkedElsewhere: [...names.values()].some(({ links, seen }) => links !== seen) }
}
