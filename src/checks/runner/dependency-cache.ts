/**
 * Caches installed dependencies by lock file or, without one, by plan and manifests. Each checkout gets its own copy, so
 * that a worker's tests cannot change the dependencies of the next gate. Workers never get anything from this cache.
 */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setupInputs, type SetupInputs } from '../../core/repository-facts/setup-cache.ts'
import { FolderCache } from '../../lib/files/folder-cache.ts'

const DEPENDENCIES = 'node_modules'

export interface DependencyKey extends Pick<SetupInputs, 'keyedBy' | 'keyFiles'> {
  readonly hash: string
}

export class DependencyCache {
  readonly #kept: FolderCache
  readonly #plan: string

  /** Dependencies without a lock file are reused only within `plan`. */
  constructor(folder: string, plan = '') {
    this.#kept = new FolderCache(folder)
    this.#plan = plan
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

  /** Copies the cached folders into the checkout; false if nothing is cached under this key. */
  restore(key: string, root: string): Promise<boolean> {
    return this.#kept.restore(key, root)
  }

  /** Caches the dependency folders that the setup created in this checkout. */
  keep(key: string, root: string): Promise<void> {
    return this.#kept.keep(key, root, dependencyFolders(root))
  }
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
