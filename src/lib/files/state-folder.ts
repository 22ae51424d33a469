/** The folder of Bosun's state: made where it is missing, and refused in one sentence where it cannot be one. */
import { lstat, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from './system-error.ts'

export interface FolderProblem {
  readonly what: string
  readonly where: string
  readonly remedy: string
}

/** What Bosun keeps directly in it as files. */
const FILES = [
  'bosun.db',
  'bosun.db-wal',
  'bosun.db-shm',
  'lock.db',
  'lock.pid',
  'token',
  'sessions.json',
  'daemon.json',
  'daemon.log',
]

/** Null once it is there, for its owner alone. */
export async function makeStateFolder(root: string): Promise<FolderProblem | null> {
  try {
    await makeFolders(root)
  } catch (error) {
    const remedy = 'Set BOSUN_HOME to a folder that you can write to, on a local disk.'
    return { what: `cannot store Bosun's state here: ${reason(error)}`, where: root, remedy }
  }
  for (const name of FILES) {
    const where = join(root, name)
    const found = await stat(where).catch(() => null)
    if (found !== null && !found.isFile())
      return { what: 'this path must be a regular file', where, remedy: 'Move it away and try again.' }
  }
  return null
}

/** Step by step: `mkdir` with `recursive` never comes back where a file system refuses new folders as if there were none above. */
async function makeFolders(path: string): Promise<void> {
  const missing: string[] = []
  for (let at = path; !(await isFolder(at)); at = dirname(at)) missing.unshift(at)
  for (const folder of missing) {
    await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
      // Another command may have been quicker.
      if (!(await isFolder(folder))) throw error
    })
  }
}

/** False where there is nothing. Throws where something else is in the way. */
async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true
  } catch (error) {
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    )
    if (isLink) throw new Error(`${path} is a dangling symbolic link`, { cause: error })
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
  throw new Error(`${path} is not a folder`)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'cannot create a folder on this file system',
  ENOTDIR: 'part of the path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the disk',
}

const reason = (error: unknown): string =>
  REASONS[String(errorCode(error))] ?? (error instanceof Error ? error.message : String(error))
