/**
 * Looks through a work tree for what git does not show: pipes, sockets and devices, anything under a name that means
 * `.git`, what was put where a submodule belongs, empty folders. Only names are read; no link is followed.
 */
import { chmodSync, readdirSync, type Dirent } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { bytePath, lookAt, onDisk, pathText, type BytePath } from '../git/byte-path.ts'
import { isGitName } from '../git/path-rules.ts'

export interface Oddity {
  readonly path: BytePath
  readonly kind: 'special' | 'git_name' | 'nested_repository' | 'in_submodule' | 'unreadable'
}

export interface Walked {
  readonly oddities: readonly Oddity[]
  readonly emptyFolders: readonly BytePath[]
  /** Files that say how others are converted; without one, nothing is. */
  readonly hasAttributes: boolean
  /** Whether a folder was closed and had to be opened: git, which looked before, saw nothing of it. */
  readonly opened: boolean
}

interface WalkOptions {
  readonly root: string
  /** Folders not to enter, as git names them: what is ignored. */
  readonly skip: ReadonlySet<string>
  /** Where submodules belong. */
  readonly gitlinks: ReadonlySet<string>
}

const FOLDERS_PER_TURN = 100

/** Walks all of it but the root's own `.git`. */
export async function walk(options: WalkOptions): Promise<Walked> {
  const found = {
    oddities: [] as Oddity[],
    emptyFolders: [] as BytePath[],
    hasAttributes: false,
    opened: false,
  }
  const pending: BytePath[] = [bytePath('')]
  for (let seen = 1; ; seen++) {
    const folder = pending.pop()
    if (folder === undefined) return found
    // Reading names blocks; other work gets its turn in a large tree.
    if (seen % FOLDERS_PER_TURN === 0) await setImmediate()
    const entries = list(options.root, folder, () => (found.opened = true))
    if (entries === null) {
      found.oddities.push({ path: folder, kind: 'unreadable' })
      continue
    }
    if (entries.length === 0 && folder !== '') found.emptyFolders.push(folder)
    for (const entry of entries) {
      if (folder === '' && entry.name === '.git') continue
      const path = bytePath(folder === '' ? entry.name : `${folder}/${entry.name}`)
      if (entry.name === '.gitattributes') found.hasAttributes = true
      const kind = oddityOf(options, entry, path)
      if (kind === 'nested_repository')
        found.oddities.push({ path: folder, kind }, { path, kind: 'git_name' })
      else if (kind !== null) found.oddities.push({ path, kind })
      else if (entry.isDirectory() && !options.skip.has(path) && !options.gitlinks.has(path))
        pending.push(path)
    }
  }
}

function oddityOf(options: WalkOptions, entry: Dirent, path: BytePath): Oddity['kind'] | null {
  if (options.skip.has(path)) return null
  if (entry.name === '.git') return 'nested_repository'
  if (isGitName(pathText(bytePath(entry.name)))) return 'git_name'
  if (options.gitlinks.has(path)) {
    const empty = entry.isDirectory() && list(options.root, path)?.length === 0
    return empty ? null : 'in_submodule'
  }
  return entry.isFile() || entry.isSymbolicLink() || entry.isDirectory() ? null : 'special'
}

/** Every file and link at or below a path; null for more than `limit`. */
export function filesBelow(root: string, path: BytePath, limit: number): readonly BytePath[] | null {
  // A link to a folder is a link: its target lies elsewhere.
  if (lookAt(root, path).kind !== 'folder') return [path]
  const files: BytePath[] = []
  const pending: BytePath[] = [path]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = list(root, folder)
    // Unreadable; reading it later reports that.
    if (entries === null) files.push(folder)
    for (const entry of entries ?? []) {
      const below = bytePath(`${folder}/${entry.name}`)
      if (entry.isDirectory()) pending.push(below)
      else files.push(below)
    }
    if (files.length > limit) return null
  }
  return files
}

/** What a folder holds, names as bytes; null where it is none or cannot be read. A folder closed to us is opened. */
function list(root: string, folder: BytePath, onOpened?: () => void): Dirent[] | null {
  const place = folder === '' ? Buffer.from(root) : onDisk(root, folder)
  const read = () => readdirSync(place, { withFileTypes: true, encoding: 'latin1' })
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return null
  }
  try {
    chmodSync(place, 0o700)
    const entries = read()
    onOpened?.()
    return entries
  } catch {
    // Not ours to open: the caller reports it.
    return null
  }
}
