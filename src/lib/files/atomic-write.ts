/**
 * Files that readers see whole or not at all: each is written under a temporary name in the same folder, then moved into
 * place. A link in that place is replaced and never followed.
 */
import { fsyncSync, linkSync, renameSync, rmSync, writeFileSync, closeSync, openSync } from 'node:fs'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from './system-error.ts'

const OWNER_ONLY = 0o600

export interface AtomicWriteOptions {
  /** Permissions of a new file, before the umask; by default only the owner may read and write it. */
  readonly mode?: number
}

export interface AtomicWriteSyncOptions extends AtomicWriteOptions {
  /** `disk`, the default: the file survives a power cut once this returns. `none`: for files that can be written again. */
  readonly sync?: 'disk' | 'none'
}

/** Replaces a file. */
export function atomicWriteSync(
  path: string,
  text: string,
  { mode = OWNER_ONLY, sync = 'disk' }: AtomicWriteSyncOptions = {},
): void {
  withDraft(path, { text, mode, sync }, (draft) => renameSync(draft, path))
}

/** Creates a file that survives a power cut. Returns false, and changes nothing, if the path exists already. */
export function atomicCreateSync(path: string, text: string): boolean {
  let isCreated = true
  withDraft(path, { text, mode: OWNER_ONLY, sync: 'disk' }, (draft) => {
    try {
      linkSync(draft, path)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      isCreated = false
    }
    rmSync(draft)
  })
  return isCreated
}

export type Append = (text: string) => Promise<void>

/**
 * Replaces a file without blocking the event loop; its content is on disk before it gets its name. Returns what `write`
 * returns. Until then, and if `write` fails, an existing file stays as it was.
 */
export async function atomicWrite<T>(
  path: string,
  write: (append: Append) => Promise<T>,
  { mode = OWNER_ONLY }: AtomicWriteOptions = {},
): Promise<T> {
  const draft = draftOf(path)
  try {
    const result = await into(await open(draft, 'wx', mode), 'disk', write)
    await rename(draft, path)
    return result
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Replaces a file with this text, as `atomicWrite` does. */
export function atomicWriteText(path: string, text: string, options?: AtomicWriteOptions): Promise<void> {
  return atomicWrite(path, (append) => append(text), options)
}

/** As `atomicWrite`; but a path that is not a regular file (a pipe, /dev/stdout) is written to directly. */
export async function writeOutput<T>(
  path: string,
  write: (append: Append) => Promise<T>,
  options: AtomicWriteOptions,
): Promise<T> {
  return (await isSpecial(path))
    ? into(await open(path, 'w'), 'none', write)
    : atomicWrite(path, write, options)
}

/** Unique without node:crypto, whose loading would take a tenth of a supervisor's start. */
const draftOf = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${process.pid}-${process.hrtime.bigint()}.part`)

function withDraft(
  path: string,
  { text, mode, sync }: Required<AtomicWriteSyncOptions> & { readonly text: string },
  place: (draft: string) => void,
): void {
  const draft = draftOf(path)
  try {
    writeFileSync(draft, text, { flag: 'wx', mode, flush: sync === 'disk' })
    place(draft)
    if (sync === 'disk') syncFolder(dirname(path))
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function syncFolder(path: string): void {
  using folder = openedFile(path, 'r')
  fsyncSync(folder.fd)
}

async function into<T>(
  opened: FileHandle,
  sync: 'disk' | 'none',
  write: (append: Append) => Promise<T>,
): Promise<T> {
  await using file = opened
  const result = await write((text) => file.writeFile(text))
  if (sync === 'disk') await file.sync()
  return result
}

/** A folder counts as special, so that opening it reports what is wrong. */
async function isSpecial(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isFile()
  } catch {
    // Nothing there yet; if it cannot be reached, writing reports why.
    return false
  }
}

/** An open file that is closed when its scope ends. */
export interface OpenedFile {
  readonly fd: number
  [Symbol.dispose](): void
}

/** Throws what opening throws. */
export function openedFile(path: string, flags: string | number, mode?: number): OpenedFile {
  const fd = openSync(path, flags, mode)
  return { fd, [Symbol.dispose]: () => closeSync(fd) }
}
