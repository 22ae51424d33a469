import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../lib/refusal.ts'

/** The root of the git work tree that holds `from`, or null. A linked work tree has a file named .git. */
export async function findRepositoryRoot(from: string): Promise<string | null> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (exists(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return null
  }
}

/** The same for what needs a work tree. A bare repository has none, which is another thing than no repository: it is refused. */
export async function findWorkTree(from: string): Promise<string | null> {
  const root = await findRepositoryRoot(from)
  for (let folder = resolve(from); root === null; folder = dirname(folder)) {
    if (['HEAD', 'objects', 'refs'].every((name) => exists(join(folder, name)))) {
      throw new Refusal({
        code: 'usage',
        message: `${folder} is a bare repository, and plans and settings are read from a work tree`,
        remedy: 'Clone it, or add a work tree (git worktree add), and run Bosun there.',
      })
    }
    if (folder === dirname(folder)) break
  }
  return root
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
