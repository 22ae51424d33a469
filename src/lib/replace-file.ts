import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join, basename } from 'node:path'

/**
 * Writes a file whole or not at all: beside its place first, synced, then moved there. Until then a file that
 * was there stays as it was. What is no plain file (a pipe, /dev/stdout) is written to directly.
 */
export async function replaceFile<T>(
  path: string,
  write: (append: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (await isSpecial(path)) return into(await open(path, 'w'), write)
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  try {
    const result = await into(await open(draft, 'wx'), async (append, handle) => {
      const written = await write(append)
      await handle.sync()
      return written
    })
    await rename(draft, path)
    return result
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function into<T>(
  handle: FileHandle,
  write: (append: (text: string) => Promise<void>, handle: FileHandle) => Promise<T>,
): Promise<T> {
  try {
    return await write((text) => handle.writeFile(text), handle)
  } finally {
    await handle.close()
  }
}

/** A folder counts as special, so that opening it says what is wrong. */
async function isSpecial(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isFile()
  } catch {
    // Nothing there yet; if it cannot be reached, writing says why.
    return false
  }
}
