/**
 * Installs dependencies once per lock file, or where there is none once per plan and manifests. Every checkout gets a copy of its own: what a worker's tests do to their
 * dependencies must not reach the next gate. Nothing here is ever given to a worker.
 */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setupInputs, type SetupInputs } from '../../core/repository-facts/setup-cache.ts'
import { FolderCache } from '../../lib/files/folder-cache.ts'

const DEPENDENCIES = 'node_modules'

export interface DependencyKey extends Pick<SetupInputs, 'keyedBy' | 'words'> {
  readonly hash: string
}

export class DependencyCache {
  readonly #kept: FolderCache
  readonly #plan: string

  /** What no lock file pins is used again within `plan` only. */
  constructor(folder: string, plan = '') {
    this.#kept = new FolderCache(folder)
    this.#plan = plan
  }

  /** Of the set-up, the machine, and everything an install reads; null where nothing names a dependency. */
  async keyFor(root: string, files: ReadonlySet<string>, setup: string): Promise<DependencyKey | null> {
    const inputs = setupInputs(files)
    if (inputs === null) return null
    const { paths, keyedBy, words } = inputs
    const hash = createHash('sha256').update(`${setup}\0${process.platform} ${process.arch}`)
    if (keyedBy === 'manifests') hash.update(`\0plan ${this.#plan}`)
    for (const path of paths) hash.update(`\0${path}\0`).update(await readFile(join(root, path)))
    return { hash: hash.digest('hex'), keyedBy, words }
  }

  /** Puts a copy into the checkout; false where nothing is kept under this key. */
  restore(key: string, root: string): Promise<boolean> {
    return this.#kept.restore(key, root)
  }

  /** Keeps what the set-up left in this checkout. */
  keep(key: string, root: string): Promise<void> {
    return this.#kept.keep(key, root, dependencyFolders(root))
  }
}

/** Every `node_modules` that is in no other: packages of a workspace may have their own. */
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
