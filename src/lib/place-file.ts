/** Files that others read at any time: whole or not at all. */
import { rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const OWNER_ONLY = 0o600

/**
 * Takes the place of what was there, of a link too: it is never followed. For what can be written anew: the disk is not
 * waited for, so a power cut may take it.
 */
export async function placeFile(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${process.hrtime.bigint()}.part`)
  try {
    await writeFile(draft, text, { flag: 'wx', mode: OWNER_ONLY })
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
