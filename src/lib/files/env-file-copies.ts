/**
 * Files of the user's that are not in git, put into a folder in which others write. A link there may lead anywhere:
 * nothing is written or removed but below the folder itself.
 */
import { chmod, copyFile, lstat, mkdir, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { constants } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { errorCode } from './system-error.ts'

/** Copies the files that exist, without overwriting. Returns those it placed. */
export async function placeFiles(job: {
  readonly from: string
  readonly to: string
  readonly paths: readonly string[]
}): Promise<readonly string[]> {
  const placed: string[] = []
  for (const path of job.paths) {
    const source = join(job.from, path)
    // A missing env file is not an error.
    if (!(await isFile(source)) || !(await leadsInside(job.to, path))) continue
    const target = join(job.to, path)
    if ((await lstat(target).catch(() => null)) !== null) continue
    await mkdir(dirname(target), { recursive: true })
    await copyFile(source, target, constants.COPYFILE_EXCL)
    await chmod(target, 0o600)
    placed.push(path)
  }
  return placed
}

/** Removes the files, and the folders that become empty. */
export async function removeFiles(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (!(await leadsInside(root, path))) continue
    const target = join(root, path)
    if ((await lstat(target).catch(() => null)) === null) continue
    await rm(target, { recursive: true, force: true })
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      const isGone = await rmdir(join(root, folder)).then(
        () => true,
        // It holds more, or is a link: those above it stay as well.
        () => false,
      )
      if (!isGone) break
    }
  }
}

/** Whether the folders on the way stay below the root, and out of its `.git`. */
async function leadsInside(root: string, path: string): Promise<boolean> {
  try {
    const top = await realpath(root)
    const way = relative(top, await nearestReal(join(top, dirname(path))))
    const [first] = way.split(sep)
    return first !== '..' && first?.toLowerCase() !== '.git'
  } catch {
    // A way that cannot be gone leads nowhere.
    return false
  }
}

/** Where the deepest folder that is there really lies. */
async function nearestReal(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT'
    // A link to nothing is there all the same.
    if (!isMissing || (await lstat(path).catch(() => null)) !== null) throw error
    return nearestReal(dirname(path))
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false
}
