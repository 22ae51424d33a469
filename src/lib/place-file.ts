/** Files that others read at any time: whole or not at all. */
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const OWNER_ONLY = 0o600

/** Takes the place of what was there, of a link too: it is never followed. */
export async function placeFile(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${process.hrtime.bigint()}.part`)
  try {
    const handle = await open(draft, 'wx', OWNER_ONLY)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
