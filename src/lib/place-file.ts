/** Files that others read at any time: whole or not at all. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const OWNER_ONLY = 0o600

/**
 * Takes the place of what was there, of a link too: it is never followed. For what can be written anew: the disk is not
 * waited for, so a power cut may take it, and nothing takes longer than handing it to somebody else would.
 */
export function placeFile(path: string, text: string): void {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${process.hrtime.bigint()}.part`)
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: OWNER_ONLY })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
