import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../lib/refusal.ts'

/** The root of the git work tree that holds `from`, or null. A linked work tree has a file named .git. */
export async function findRepositoryRoot(from: string): Promise<string | null> {
  return nearest(from, (folder) => exists(join(folder, '.git')))
}

/** The same for what needs a work tree. A bare repository has none, which is another thing than no repository: it is refused. */
export async function findWorkTree(from: string): Promise<string | null> {
  const root = await findRepositoryRoot(from)
  if (root !== null) return root
  const bare = nearest(from, (folder) => GIT_DIR.every((name) => exists(join(folder, name))))
  if (bare === null) return null
  throw new Refusal({
    code: 'usage',
    message: `${bare} is a bare repository, and plans and settings are read from a work tree`,
    remedy: 'Clone it, or add a work tree (git worktree add), and run Bosun there.',
  })
}

/** What makes a folder a repository for git. */
const GIT_DIR = ['HEAD', 'objects', 'refs']

/** The folder itself or the nearest one around it. */
function nearest(from: string, fits: (folder: string) => boolean): string | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (fits(folder)) return folder
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
