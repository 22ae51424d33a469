/**
 * The folder for check-ins as files. Its content is untrusted: links are not followed, large files are not read, and
 * invalid ones are set aside with the reason beside them.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readSync,
  renameSync,
} from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_CHECKIN_BYTES } from '../../core/watch/checkins/checkin.ts'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { errorCode } from '../../lib/system/error-code.ts'

export const ARCHIVE = 'archive'
export const MALFORMED = 'malformed'

export type SpoolFile =
  | { readonly kind: 'read'; readonly value: unknown; readonly placedMs: number; readonly writtenMs: number }
  /** It may still be written. */
  | { readonly kind: 'half'; readonly problem: string }
  | { readonly kind: 'bad'; readonly problem: string }
  | { readonly kind: 'gone' }

/** Why a path is not usable as our folder; null if it is. Creates a missing one. */
export function folderProblem(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return null
  }
  if (found.isSymbolicLink()) return `${path} is a symbolic link and is not followed`
  if (!found.isDirectory()) return `${path} is not a folder`
  const isOurs = process.getuid === undefined || found.uid === process.getuid()
  return isOurs ? null : `${path} belongs to another user`
}

/** Creates missing folders, in this order. Throws with the `consequence` if one is not usable. */
export function requireFolders(paths: readonly string[], consequence: string): void {
  for (const path of paths) {
    const problem = folderProblem(path)
    if (problem !== null) throw new Error(`${problem}; ${consequence}`)
  }
}

/** One look is enough, however much is in it. */
export function isEmpty(folder: string): boolean {
  const opened = opendirSync(folder)
  try {
    return opened.readSync() === null
  } finally {
    opened.closeSync()
  }
}

/** Links are not followed, and what would make a reader wait is not waited for. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Reads one file synchronously: a small file takes less time than handing it to a thread. */
export function readSpoolFile(folder: string, name: string): SpoolFile {
  let file: number
  try {
    file = openSync(join(folder, name), FLAGS)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return { kind: 'gone' }
    if (code === 'EMFILE' || code === 'ENFILE') throw error
    return {
      kind: 'bad',
      problem: code === 'ELOOP' ? 'it is a link' : `it cannot be opened (${String(code)})`,
    }
  }
  try {
    const found = fstatSync(file)
    const { size, mtimeMs, ctimeMs } = found
    if (!found.isFile()) return { kind: 'bad', problem: 'it is not a regular file' }
    if (size > MAX_CHECKIN_BYTES)
      return { kind: 'bad', problem: `it is larger than ${MAX_CHECKIN_BYTES} bytes` }
    const bytes = Buffer.allocUnsafe(size)
    const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, size, 0))
    const value = jsonIn(text)
    return value === undefined
      ? { kind: 'half', problem: 'it is not valid JSON, or incomplete' }
      : { kind: 'read', value, placedMs: ctimeMs, writtenMs: mtimeMs }
  } finally {
    closeSync(file)
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The caller decides what to do with it.
    return undefined
  }
}

export function archive(folder: string, name: string): void {
  moveIfThere(join(folder, name), join(folder, ARCHIVE, name))
}

/** Moves a file to a folder for invalid ones, with the reason beside it. */
export function putAside(
  { from, to, name }: { readonly from: string; readonly to: string; readonly name: string },
  problem: string,
): void {
  moveIfThere(join(from, name), join(to, name))
  const short = name.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 200)
  atomicWriteSync(join(to, `${short}.reason.txt`), `${problem}\n`, { sync: 'none' })
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

/** Removes what has lain in a folder since before an instant: whenever it says it was written, it was put there later. */
export async function removeOlder(
  folder: string,
  beforeMs: number,
  matches: (name: string) => boolean = () => true,
): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!matches(name)) continue
    const path = join(folder, name)
    const found = await lstat(path).catch(() => null)
    if (found !== null && found.ctimeMs < beforeMs) await rm(path, { recursive: true, force: true })
  }
}
