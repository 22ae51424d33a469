/**
 * Caches what set-ups leave: of plain installs by lock file or, without one, by plan and manifests; of installs that may depend
 * on the sources, by tree. Each checkout gets its own copy, so that a worker's tests cannot change the dependencies of the next
 * gate. Workers get only what a set-up left in the start commit of a plan.
 */
import { readdirSync, lstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setupInputs } from '../../core/repository-facts/setup-cache.ts'
import { cacheKey, FolderCache } from '../../lib/folders/folder-cache.ts'
import { runTool } from '../../lib/process/run-capped.ts'

const DEPENDENCIES = 'node_modules'

/** Trees of which the result of a set-up is kept: the base of a task and its work. */
const MOST_TREES = 4

export class DependencyCache {
  readonly #kept: FolderCache
  readonly #trees: FolderCache
  readonly #plan: string

  /** Dependencies without a lock file are reused only within `plan`. */
  constructor(folder: string, plan = '') {
    this.#kept = new FolderCache(folder)
    this.#trees = new FolderCache(`${folder}-trees`, MOST_TREES)
    this.#plan = plan
  }

  /** Hashes the setup command, the platform and every file an install reads; null if no file names a dependency. */
  async keyFor(root: string, files: ReadonlySet<string>, setup: string) {
    const inputs = setupInputs(files)
    if (inputs === null) return null
    const { paths, keyedBy, keyFiles } = inputs
    const read = async (path: string) => [path, await readFile(join(root, path))]
    const plan = keyedBy === 'manifests' ? this.#plan : ''
    const hash = cacheKey(setup, plan, ...(await Promise.all(paths.map(read))).flat())
    return { hash, keyedBy, keyFiles }
  }

  /** Gives the checkout its own copy of the cached folders; false if nothing is cached under this key. */
  restore(key: string, root: string): Promise<boolean> {
    return this.#kept.restore(key, root)
  }

  /** Caches the dependency folders that the setup created in this checkout. */
  keep(key: string, root: string): Promise<void> {
    return this.#kept.keep(key, root, dependencyFolders(root))
  }

  /** As `restore`, of what a set-up left in this very tree. */
  restoreTree({ tree, setup }: TreeSetup, root: string): Promise<boolean> {
    return this.#trees.restore(cacheKey(setup, tree), root)
  }

  /** Keeps what a set-up left in this tree; for this folder alone where it names the folder. */
  async keepTree({ tree, setup }: TreeSetup, root: string, entries: readonly string[]): Promise<void> {
    const isBound = await mentions(root, entries)
    await this.#trees.keep(cacheKey(setup, tree), root, entries, { isBound })
  }
}

interface TreeSetup {
  readonly tree: string
  readonly setup: string
}

/** Virtual environments and build folders do. What cannot be searched counts as if it did. */
async function mentions(root: string, entries: readonly string[]): Promise<boolean> {
  if (entries.length === 0) return false
  const { code } = await runTool(['grep', '-rqF', '-e', root, '--', ...entries], root)
  return code !== 1
}

/** Every top-level `node_modules`; packages of a workspace may have their own. */
function dependencyFolders(root: string): readonly string[] {
  const found: string[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name === '.git') continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.name === DEPENDENCIES) found.push(path)
      else folders.push(path)
    }
  }
  return found.sort()
}

/** Every file and folder by its path, with what shows that it was changed; folders have an empty mark. */
export type Sight = ReadonlyMap<string, string>

interface LeftBehind {
  /** New files, and new folders as a whole. */
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

const FOLDER = ''

export function look(root: string): Sight {
  const seen = new Map<string, string>()
  walk(root, (path, mark) => {
    seen.set(path, mark)
    return true
  })
  return seen
}

/** What a set-up leaves in a checkout: the difference between two looks at it. */
export function leftSince(before: Sight, root: string): LeftBehind {
  const added: string[] = []
  const changed: string[] = []
  const there = new Set<string>()
  walk(root, (path, mark) => {
    there.add(path)
    const was = before.get(path)
    if (was === undefined) added.push(path)
    else if (was !== mark) changed.push(path)
    return was === FOLDER
  })
  return { added, changed, removed: [...before.keys()].filter((path) => !there.has(path)) }
}

/** Enters a folder if `see` answers with true. */
function walk(root: string, see: (path: string, mark: string) => boolean): void {
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (folder === '' && entry.name === '.git') continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const mark = entry.isDirectory() ? FOLDER : markOf(join(root, path))
      if (see(path, mark) && entry.isDirectory()) folders.push(path)
    }
  }
}

function markOf(path: string): string {
  const { ino, size, ctimeNs } = lstatSync(path, { bigint: true })
  return `${ino} ${size} ${ctimeNs}`
}
