/** Small files that are on disk when they are there. Only the disk itself is waited for: the rest takes no longer than asking. */
import { closeSync, fsync, openSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { openOver, writeOver } from './overwrite.ts'

const synced = promisify(fsync)

/** Throws where something is there already. */
export async function createSynced(path: string, content: string | Buffer, mode: number): Promise<void> {
  const file = openSync(path, 'wx', mode)
  try {
    writeFileSync(file, content)
    await synced(file)
  } finally {
    closeSync(file)
  }
}

/** Writes the whole file, new or not. For files without concurrent readers. */
export async function overwriteSynced(path: string, text: string): Promise<void> {
  const file = openOver(path, { mode: 0o600 })
  try {
    writeOver(file, text)
    await synced(file)
  } finally {
    closeSync(file)
  }
}
