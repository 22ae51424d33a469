import { chmod, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes a folder and all in it, links not followed. Folders its owner closed are opened for that. */
export async function removeFolder(path: string | Buffer): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch {
    await openFolders(path.toString())
    await rm(path, { recursive: true, force: true })
  }
}

async function openFolders(path: string): Promise<void> {
  await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(join(path, entry.name))
  }
}
