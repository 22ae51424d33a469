/**
 * A small folder that is to hold certain files and nothing else, where others may have put anything. Making files and
 * folders is what costs, so what is right stays.
 */
import { constants, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { overwrite } from '../../lib/files/overwrite.ts'
import { removeFolder } from '../../lib/files/remove-folder.ts'

const OWNER_ALL = 0o700

/** Files by their paths, with what they hold; null for one that may hold anything. */
type Files = ReadonlyMap<string, string | null>

/** Anew, whatever is there. `folders` are those below it, each after the one it lies in. */
export async function replaceFolder(
  path: string,
  folders: readonly string[],
  files: ReadonlyMap<string, string>,
): Promise<void> {
  await removeFolder(path)
  mkdirSync(path, { recursive: true })
  for (const folder of folders) mkdirSync(join(path, folder))
  for (const [file, text] of files) writeFileSync(join(path, file), text, { flag: 'wx' })
}

/**
 * Writes what differs. Answers false where that is not enough, since something is missing or there is more, or what
 * lies there is no plain file or has another name elsewhere: then it has to be made anew.
 */
export function syncFolder(path: string, folders: readonly string[], files: Files): boolean {
  try {
    if (!holdsOnly(path, folders, files)) return false
    for (const [file, text] of files) {
      const place = join(path, file)
      const found = lstatSync(place)
      if (!found.isFile() || found.nlink !== 1) return false
      const isRight =
        text === null || (found.size === Buffer.byteLength(text) && readFileSync(place, 'utf8') === text)
      if (!isRight) overwrite(place, text, { mayBeNew: false })
    }
    return true
  } catch {
    // Not there, or closed to us.
    return false
  }
}

function holdsOnly(path: string, folders: readonly string[], files: Files): boolean {
  const wanted = new Set([...folders, ...files.keys()])
  let found = 0
  for (const folder of ['', ...folders]) {
    // A link to a folder is none: only what lies here is ours to write.
    const { mode } = lstatSync(join(path, folder))
    if ((mode & constants.S_IFMT) !== constants.S_IFDIR || (mode & OWNER_ALL) !== OWNER_ALL) return false
    for (const name of readdirSync(join(path, folder))) {
      if (!wanted.has(folder === '' ? name : `${folder}/${name}`)) return false
      found++
    }
  }
  return found === wanted.size
}
