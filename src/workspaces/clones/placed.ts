/**
 * What Bosun put into a worker's work tree beside the files of the tree: env files of the user's, and what the set-up
 * left. None of it is the worker's work, whatever the repository ignores; and an env file never becomes an object.
 */
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { atomicWriteText } from '../../lib/files/atomic-write.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import { bytePath, lookAt, onDisk, pathText, type BytePath } from '../git/byte-path.ts'
import { filesBelow } from './walk.ts'
import { orElse } from '../../lib/or-else.ts'

const schema = z.object({
  /** Where env files belong: nothing at or below is ever read into an object. */
  secrets: z.array(z.string()).readonly(),
  /** What they hold, as git names it: a copy is known by it. */
  blobs: z.array(z.object({ sha: z.string(), bytes: z.number() })).readonly(),
  /** Left by the set-up, and Bosun's with all that comes into it: dependencies, and what is too large to tell apart. */
  folders: z.array(z.string()).readonly(),
  /** Left by the set-up, and Bosun's for as long as it is as it was left. */
  files: z.record(z.string(), z.string()),
  /** Notes for the worker, one line each. */
  notes: z.array(z.string()).readonly(),
})
export type PlacedRecord = z.infer<typeof schema>

export const NOTHING_PLACED: PlacedRecord = { secrets: [], blobs: [], folders: [], files: {}, notes: [] }
const NOTHING = JSON.stringify(NOTHING_PLACED)

export class Placed {
  readonly record: PlacedRecord
  readonly #whole: ReadonlySet<string>
  readonly #files: ReadonlyMap<string, string>

  constructor(record: PlacedRecord = NOTHING_PLACED) {
    this.record = record
    this.#whole = new Set([...record.secrets, ...record.folders])
    this.#files = new Map(Object.entries(record.files))
  }

  /** Paths that are Bosun's with everything below them. */
  get whole(): readonly BytePath[] {
    return [...this.#whole].map(bytePath)
  }

  /** Whether what lies there is none of the worker's work. */
  isOurs(root: string, path: BytePath): boolean {
    if (this.#isWhole(path)) return true
    const left = this.#files.get(path)
    return left !== undefined && left === fingerprint(root, path)
  }

  /** Whether a file holds exactly what an env file does. */
  isCopy(root: string, path: BytePath): boolean {
    if (this.record.blobs.length === 0) return false
    const found = lookAt(root, path)
    if (found.kind !== 'file' || !this.record.blobs.some(({ bytes }) => bytes === found.bytes)) return false
    const content = readIfThere(onDisk(root, path))
    return content !== null && this.record.blobs.some(({ sha }) => sha === blobName(content, sha.length))
  }

  #isWhole(path: BytePath): boolean {
    if (this.#whole.size === 0) return false
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      if (this.#whole.has(path.slice(0, end))) return true
    return false
  }
}

/** The record of a work tree, in a folder that workers do not know. */
export class PlacedNote {
  readonly #path: string

  constructor(scratch: string) {
    this.#path = join(scratch, 'placed.json')
  }

  /** Nothing where there is no record; null where it is damaged: cut, written over, or a folder. */
  read(): PlacedRecord | null {
    return orElse(() => {
      const text = readIfExists(this.#path)
      return text === null ? NOTHING_PLACED : schema.parse(JSON.parse(text))
    }, null)
  }

  async write(record: PlacedRecord): Promise<void> {
    const text = JSON.stringify(record)
    if (text === NOTHING) this.clear()
    else await atomicWriteText(this.#path, text)
  }

  clear(): void {
    rmSync(this.#path, { force: true })
  }
}

/** Folders of package managers, which hold no work. */
const DEPENDENCIES = /(^|\/)(node_modules|bower_components|jspm_packages|\.pnpm-store|\.venv|venv)(\/|$)/
const MOST_FILES = 2000
const MOST_FILES_IN_ALL = 20_000
const LONGEST_READ = 50 * 1024 * 1024

/** Sorts what a set-up left: single files are identified by content, whole folders belong to Bosun. */
export function sortLeft(
  root: string,
  entries: readonly BytePath[],
): Pick<PlacedRecord, 'folders' | 'files'> {
  const folders: string[] = []
  const files = new Map<string, string>()
  for (const entry of entries) {
    const below = DEPENDENCIES.test(entry) ? null : filesBelow(root, entry, MOST_FILES)
    const prints = below?.map((path) => [path, fingerprint(root, path)] as const) ?? null
    const isComparable =
      prints?.every(([path, print]) => print !== null && !/(^|\/)\.git(\/|$)/i.test(path)) === true
    if (!isComparable || files.size + (prints?.length ?? 0) > MOST_FILES_IN_ALL) folders.push(entry)
    else for (const [path, print] of prints ?? []) files.set(path, print ?? '')
  }
  return { folders, files: Object.fromEntries(files) }
}

/** Null for what is no file, or is gone. */
function fingerprint(root: string, path: BytePath): string | null {
  const found = lookAt(root, path)
  if (found.kind === 'link') return `link ${found.target}`
  if (found.kind !== 'file') return null
  if (found.bytes > LONGEST_READ) return `large ${found.bytes}`
  const content = readIfThere(onDisk(root, path))
  return content === null ? null : createHash('sha256').update(content).digest('hex')
}

/** The name git would give to this content, in the format that has names of this length. */
export function blobName(content: Buffer, length: number): string {
  const hash = createHash(length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex')
}

/** Null for what was removed meanwhile or is unreadable; saving it reports that. */
const readIfThere = (path: Buffer): Buffer | null => orElse(() => readFileSync(path), null)

/** Lines that make git pass over these paths, whatever characters they hold. */
export const excludeLines = (paths: readonly BytePath[]): string =>
  paths
    .map(pathText)
    .filter((path) => !path.includes('\n'))
    .map((path) => `/${path.replace(/[\\*?[\] !#]/g, '\\$&')}\n`)
    .join('')
