/**
 * The file tools of an interview. They never leave the project folder, whatever a path or a link in it says, never wait for
 * a pipe or a device, and read a bounded part of a file. A refusal is an answer to the PM; only a failing disk throws.
 */
import { constants } from 'node:fs'
import { lstat, open, opendir, readlink, realpath, type FileHandle } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { mayHoldKeys } from '../../core/intake/files-about.ts'
import { errorCode } from '../../lib/files/system-error.ts'

export interface FileAnswer {
  readonly ok: boolean
  /** The text, or why the call was refused. */
  readonly result: string
}

const MAX_BYTES = 32 * 1024
const MAX_ENTRIES = 400
/** Read of one folder, so that one with millions of files ends. */
const MAX_READ_ENTRIES = 5000
const MAX_FOLDERS = 500
const MAX_DEPTH = 8
/** Not listed with what is in them: dependencies and what a build leaves. */
const CLOSED_FOLDERS = new Set(['.git', 'node_modules', '.venv', 'venv', '__pycache__', 'target', 'dist'])

const refused = (result: string): FileAnswer => ({ ok: false, result })

/** The beginning of a text file. */
export async function readProjectFile(project: string, path: string): Promise<FileAnswer> {
  return answering(path, async () => {
    const place = await placeIn(project, path)
    if (typeof place === 'string') return refused(place)
    if (!(await lstat(place.real)).isFile()) return refused(`${path} is not a file`)
    // Without O_NONBLOCK a pipe that was put in the file's place would be waited for.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY
    await using file = await open(place.real, flags)
    const outside = await whyOutside(file, place, path)
    return outside === null ? await textIn(file, path) : refused(outside)
  })
}

async function textIn(file: FileHandle, path: string): Promise<FileAnswer> {
  const { size } = await file.stat()
  const buffer = Buffer.alloc(Math.min(size, MAX_BYTES))
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
  const bytes = buffer.subarray(0, bytesRead)
  if (bytes.includes(0)) return refused(`${path} is a binary file`)
  // A character that the limit cuts is left out.
  const text = new TextDecoder().decode(bytes, { stream: size > bytesRead })
  const note = size > bytesRead ? `\n[cut: the first ${bytesRead} of ${size} bytes]` : ''
  return { ok: true, result: `${text}${note}` }
}

/** The names in a folder; a folder ends in a slash, a link in an @, and links are not followed. */
export async function listProjectFiles(
  project: string,
  { path, recursive }: { readonly path: string; readonly recursive: boolean },
): Promise<FileAnswer> {
  return answering(path, async () => {
    const place = await placeIn(project, path === '' ? '.' : path)
    if (typeof place === 'string') return refused(place)
    if (!(await lstat(place.real)).isDirectory()) return refused(`${path} is not a folder`)
    const listed = await namesIn(place.real, recursive)
    return { ok: true, result: listed.length === 0 ? '(empty)' : listed.join('\n') }
  })
}

async function namesIn(top: string, recursive: boolean): Promise<readonly string[]> {
  const names: string[] = []
  const folders = [{ name: '', depth: 1 }]
  for (let visited = 0; visited < folders.length; visited++) {
    const { name, depth } = folders[visited] ?? { name: '', depth: 1 }
    for (const entry of await entriesOf(join(top, name))) {
      if (names.length >= MAX_ENTRIES) return [...names, `[cut: the first ${MAX_ENTRIES} names]`]
      names.push(name + entry)
      const inner = name + entry
      const isFolder = entry.endsWith('/') && !CLOSED_FOLDERS.has(entry.slice(0, -1))
      if (recursive && isFolder && depth < MAX_DEPTH && folders.length < MAX_FOLDERS)
        folders.push({ name: inner, depth: depth + 1 })
    }
  }
  return names
}

/** A folder that vanished or may not be read has no names. */
async function entriesOf(folder: string): Promise<readonly string[]> {
  const names: string[] = []
  try {
    // The folder itself may have become a link since its name was read.
    if (!(await lstat(folder)).isDirectory()) return []
    for await (const entry of await opendir(folder)) {
      if (entry.name === '.git') continue
      const mark = entry.isDirectory() ? '/' : entry.isSymbolicLink() ? '@' : ''
      names.push(entry.name + mark)
      if (names.length >= MAX_READ_ENTRIES) break
    }
  } catch (error) {
    if (!isGone(error)) throw error
  }
  return names.sort()
}

interface Place {
  /** Of the project folder, without links. */
  readonly root: string
  readonly real: string
}

/** Where a path leads, or why it may not be used. */
async function placeIn(project: string, path: string): Promise<Place | string> {
  const segments = path.split('/')
  if (path.includes('\0')) return 'the path contains a NUL character'
  if (path === '') return 'the path is empty; name a file, relative to the project folder'
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('~'))
    return `${path} is not relative to the project folder`
  if (segments.includes('..')) return `${path} leaves the project folder`
  const root = await realpath(project)
  const real = await realpath(join(root, path))
  if (!isWithin(root, real)) return `${path} is a link that leaves the project folder`
  const inside = real.slice(root.length).split(sep)
  if ([...segments, ...inside].some((segment) => segment.toLowerCase() === '.git'))
    return `${path} is in .git, which is not part of the project's files`
  const name = inside.at(-1) ?? ''
  if (mayHoldKeys(name)) return `${path} may hold keys and is not read`
  return { root, real }
}

const isWithin = (root: string, real: string): boolean => real === root || real.startsWith(root + sep)

/** A folder of the path may have become a link between the check and the opening; null where it has not. */
async function whyOutside(file: FileHandle, { root, real }: Place, path: string): Promise<string | null> {
  const found = await file.stat()
  if (!found.isFile()) return `${path} is not a file`
  const opened = await openedPath(file)
  if (opened !== null) return isWithin(root, opened) ? null : `${path} leaves the project folder`
  const again = await realpath(real)
  const { ino, dev } = await lstat(again)
  return isWithin(root, again) && ino === found.ino && dev === found.dev
    ? null
    : `${path} changed while it was read; try again`
}

/** Where the system says that an open file is; null where it does not say. */
async function openedPath({ fd }: FileHandle): Promise<string | null> {
  try {
    return await readlink(`/proc/self/fd/${fd}`)
  } catch {
    // There is no /proc on macOS.
    return null
  }
}

async function answering(path: string, work: () => Promise<FileAnswer>): Promise<FileAnswer> {
  try {
    return await work()
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return refused(`there is no ${path} in the project`)
    if (code === 'EACCES' || code === 'EPERM') return refused(`${path} may not be read`)
    if (code === 'ELOOP') return refused(`${path} is a link that leads nowhere`)
    if (code === 'ENAMETOOLONG') return refused('the path is too long')
    if (code === 'ENXIO' || code === 'EISDIR') return refused(`${path} is not a file`)
    throw error
  }
}

const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'])
const isGone = (error: unknown): boolean => GONE.has(errorCode(error))
