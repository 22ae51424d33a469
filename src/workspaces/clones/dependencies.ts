/**
 * What a set-up leaves, kept per lock file (or where there is none, per plan and manifests) for the workers of one repository.
 * Only what a set-up left in landed work is kept, in a worker's clone or in the checkout of the baseline, and every worker gets a
 * copy, so that none can affect another. Gates have a cache of their own and take nothing from here.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setupInputs } from '../../core/repository-facts/setup-cache.ts'
import { cacheKey, FolderCache } from '../../lib/folders/folder-cache.ts'
import { pathText } from '../git/byte-path.ts'
import { listTree } from '../git/trees.ts'
import type { Quarantine } from '../quarantine.ts'

/** One for all workers of a repository, so that no two of them install the same at once. */
export class Dependencies {
  readonly #kept: FolderCache
  readonly #installing = new Map<string, Promise<unknown>>()

  constructor(folder: string) {
    this.#kept = new FolderCache(folder)
  }

  /** Clears away what a killed Bosun left half done. */
  sweep(): Promise<void> {
    return this.#kept.sweep()
  }

  /**
   * Installs what this key names in the root: a copy from the cache, after waiting for a running install, else what
   * `install` leaves. Of that, the entries it answers with are kept, unless they are null or `isKept` is false.
   */
  async obtain(
    key: string,
    root: string,
    how: {
      readonly install: () => Promise<readonly string[] | null>
      readonly isKept: boolean
      readonly signal: AbortSignal
    },
  ): Promise<'copied' | 'installed'> {
    const { install, isKept, signal } = how
    for (;;) {
      if (await this.#kept.restore(key, root, signal)) return 'copied'
      const installing = this.#installing.get(key)
      if (installing === undefined || signal.aborted) break
      await Promise.race([installing.catch(() => undefined), once(signal, 'abort')])
    }
    const done = (async () => {
      const entries = await install()
      if (isKept && entries !== null) await this.adopt(key, root, entries, signal)
    })()
    if (isKept) this.#installing.set(key, done)
    await done.finally(() => isKept && this.#installing.delete(key))
    return 'installed'
  }

  /** Keeps what an install left in a folder with landed work, in which nothing else ran. */
  async adopt(key: string, root: string, entries: readonly string[], signal?: AbortSignal): Promise<void> {
    // A virtual environment of Python names the folder it was made in.
    const isBound = entries.some((entry) => existsSync(join(root, entry, 'pyvenv.cfg')))
    await this.#kept.keep(key, root, entries, { isBound, signal })
  }
}

/**
 * Of the set-up, the machine, and everything an install reads in this tree; null where nothing names a dependency. What no
 * lock file pins is used again within the plan only.
 */
export async function dependencyKey(
  quarantine: Quarantine,
  tree: string,
  { setup, plan }: { readonly setup: string; readonly plan: string },
) {
  const files = await listTree(quarantine.git, tree, { at: quarantine.place })
  const objects = new Map(files.map(({ path, mode, sha }) => [pathText(path), `${mode} ${sha}`]))
  const inputs = setupInputs(objects.keys())
  if (inputs === null) return null
  const { paths, keyedBy, keyFiles } = inputs
  const read = paths.flatMap((path) => [path, objects.get(path) ?? ''])
  return { hash: cacheKey(setup, keyedBy === 'manifests' ? plan : '', ...read), keyedBy, keyFiles }
}

/** The workers of a plan start with what its baseline installed. */
export async function adoptInstall(
  { quarantine, dependencies }: { readonly quarantine: Quarantine; readonly dependencies: Dependencies },
  install: {
    readonly tree: string
    readonly root: string
    readonly setup: string
    readonly plan: string
    readonly entries: readonly string[]
  },
): Promise<void> {
  const key = await dependencyKey(quarantine, install.tree, install)
  if (key !== null) await dependencies.adopt(key.hash, install.root, install.entries)
}
