/** Small files that are on disk when they are there. Only the disk itself is waited for: the rest takes no longer than asking. */
import { fsync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { openedFile } from './opened-file.ts'
import { openOver, writeOver } from './overwrite.ts'

const synced = promisify(fsync)

/** Throws where something is there already. */
export async function createSynced(path: string, content: string | Buffer, mode: number): Promise<void> {
  using file = openedFile(path, 'wx', mode)
  writeFileSync(file.fd, content)
  await synced(file.fd)
}

/** Writes the whole file, new or not. For files without concurrent readers. */
export async function overwriteSynced(path: string, text: string): Promise<void> {
  using file = openOver(path, { mode: 0o600 })
  writeOver(file, text)
  await synced(file.fd)
}
