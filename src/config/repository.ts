import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The root of the git work tree that holds `from`, or null. A linked work tree has a file named .git. */
export async function findRepositoryRoot(from: string): Promise<string | null> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (exists(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return null
  }
}

/** Asked at once: a few of these take less time than one trip to the pool of threads. */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // What cannot be reached is not ours to work in, for whatever reason.
    return false
  }
}
