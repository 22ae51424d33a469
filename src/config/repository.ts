import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** The root of the git work tree that holds `from`, or null. A linked work tree has a file named .git. */
export async function findRepositoryRoot(from: string): Promise<string | null> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return null
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch {
    // What cannot be reached is not ours to work in, for whatever reason.
    return false
  }
}
