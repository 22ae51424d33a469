/**
 * Caches what set-ups leave: of plain installs by lock file or, without one, by plan and manifests; of installs that may depend
 * on the sources, by tree. Each checkout gets its own copy, so that a worker's tests cannot change the dependencies of the next
 * gate; a copy that came back unchanged is one as well. Workers get only what a set-up left in the start commit of a plan.
 */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setupInputs, type SetupInputs } from '../../core/repository-facts/setup-cache.ts'
import { FolderCache } from '../../lib/folders/folder-cache.ts'
import type { ReturnedFolders } from '../../lib/folders/returned-folders.ts'
import { builtEnvironment } from '../../lib/process/built-environment.ts'
import { runCapped } from '../../lib/process/run-capped.ts'

const DEPENDENCIES = 'node_modules'

export interface DependencyKey extends Pick<SetupInputs, 'keyedBy' | 'keyFiles'> {
  readonly hash: string
}

/** Trees of which the result of a set-up is kept: the base of a task and its work. */
const MOST_TREES = 4

export class DependencyCache {
  readonly #kept: FolderCache
  readonly #trees: FolderCache
  readonly #plan: string
  readonly #returned: ReturnedFolders | null

  /** Dependencies without a lock file are reused only within `plan`. */
  constructor(
    folder: string,
    {
      plan = '',
      returned,
    }: { readonly plan?: string | undefined; readonly returned?: ReturnedFolders | undefined } = {},
  ) {
    this.#kept = new FolderCache(folder)
    this.#trees = new FolderCache(`${folder}-trees`, MOST_TREES)
    this.#plan = plan
    this.#returned = returned ?? null
  }

  /** Hashes the setup command, the platform and every file an install reads; null if no file names a dependency. */
  async keyFor(root: string, files: ReadonlySet<string>, setup: string): Promise<DependencyKey | null> {
    const inputs = setupInputs(files)
    if (inputs === null) return null
    const { paths, keyedBy, keyFiles } = inputs
    const hash = createHash('sha256').update(`${setup}\0${process.platform} ${process.arch}`)
    if (keyedBy === 'manifests') hash.update(`\0plan ${this.#plan}`)
    for (const path of paths) hash.update(`\0${path}\0`).update(await readFile(join(root, path)))
    return { hash: hash.digest('hex'), keyedBy, keyFiles }
  }

  /** Gives the checkout its own copy of the cached folders; false if nothing is cached under this key. */
  restore(key: string, root: string): Promise<boolean> {
    return this.#copy(this.#kept, key, root)
  }

  /** Caches the dependency folders that the setup created in this checkout. */
  async keep(key: string, root: string): Promise<void> {
    const folders = dependencyFolders(root)
    await this.#kept.keep(key, root, folders)
    await this.#returned?.lend(key, root, folders)
  }

  /** Where the cached folders of this key are. */
  place(key: string): string {
    return this.#kept.place(key)
  }

  /** Takes the copy of a checkout in which nothing runs any more, for the next one. */
  async giveBack(root: string): Promise<void> {
    await this.#returned?.giveBack(root)
  }

  /** Of a checkout in which something may still run. */
  forget(root: string): void {
    this.#returned?.forget(root)
  }

  async #copy(cache: FolderCache, key: string, root: string): Promise<boolean> {
    if ((await this.#returned?.take(key, root)) === true) return true
    if (!(await cache.restore(key, root))) return false
    await this.#returned?.lend(key, root, (await cache.entries(key)) ?? [])
    return true
  }

  /** As `restore`, of what a set-up left in this very tree. */
  async restoreTree(of: TreeSetup, root: string): Promise<boolean> {
    const key = treeKey(of)
    return (await this.#copy(this.#trees, key, root)) || this.#copy(this.#trees, boundTo(key, root), root)
  }

  /** Keeps what a set-up left in this tree; for this folder alone where it names the folder. */
  async keepTree(of: TreeSetup, root: string, entries: readonly string[]): Promise<void> {
    const key = treeKey(of)
    const isBound = await mentions(root, entries)
    await this.#trees.keep(isBound ? boundTo(key, root) : key, root, entries)
  }
}

export interface TreeSetup {
  readonly tree: string
  readonly setup: string
}

const treeKey = ({ tree, setup }: TreeSetup): string =>
  createHash('sha256').update(`${setup}\0${process.platform} ${process.arch}\0${tree}`).digest('hex')

const boundTo = (key: string, root: string): string =>
  createHash('sha256').update(`${key}\0${root}`).digest('hex')

const SEARCH_MS = 60_000

/** Virtual environments and build folders do. What cannot be searched counts as if it did. */
async function mentions(root: string, entries: readonly string[]): Promise<boolean> {
  if (entries.length === 0) return false
  const { outcome } = await runCapped({
    command: ['grep', '-rqF', '-e', root, '--', ...entries],
    cwd: root,
    env: builtEnvironment(process.env),
    timeoutMs: SEARCH_MS,
    maxOutputBytes: 4096,
  })
  return outcome.kind !== 'exited' || outcome.code !== 1
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
