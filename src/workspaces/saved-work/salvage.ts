/**
 * Saves all a worker wrote as a commit under `refs/salvage/<worker>`: its tree byte for byte, and in one folder
 * beside it (`.bosun-salvage`) what no tree may hold under its own name, small ignored files, and commits the
 * worker made itself. Saved again, the same content is the same commit, and other content stands on top of it.
 */
import { readFileSync } from 'node:fs'
import { roomToKeep } from '../../core/watch/disk-use.ts'
import { fullDisk, roomAt } from '../../lib/files/system-error.ts'
import { NeedsPerson } from '../../ports/workspace.ts'
import { fromText, lookAt, onDisk, pathText, bytePath, type BytePath } from '../git/byte-path.ts'
import type { Clone } from '../clones/clone-pool.ts'
import { commitTree } from '../git/trees.ts'
import { BOSUN, type Git, type GitPlace } from '../git/git.ts'
import {
  setEntries,
  takenTree,
  takeOut,
  withScratchIndex,
  writeTree,
  type Entry,
} from '../git/scratch-index.ts'
import type { Survey } from '../survey/survey.ts'
import { filesBelow } from '../clones/walk.ts'
import { isGitName } from '../git/path-rules.ts'

export interface Salvaged {
  readonly commit: string
  /** The work tree as it is on disk, without what lies beside it. */
  readonly rawTree: string
  /** What could not be saved. The folder is kept while this is not empty. */
  readonly unsaved: readonly string[]
  /** Of that, what a tree could hold: without it the tree is not what the worker made. */
  readonly missing: readonly Missing[]
  /** Ignored files and folders left out because they are many or large. */
  readonly ignoredLeftOut: readonly string[]
}

export interface Missing {
  readonly path: string
  /** The disk had room for something, but not for this; or git could not read it. */
  readonly why: 'no_room' | 'unreadable'
}

/** Of ignored content: what is more than this can be made again by whatever made it. */
const IGNORED = { filesPerEntry: 500, bytes: 32 * 1024 * 1024 }
/** Fits wherever there is room at all. */
const SMALL_FILE_BYTES = 64 * 1024
const OWN_COMMITS = { files: 50_000 }
const FOLDER = '.bosun-salvage'

export const salvageRef = (worker: string): string => `refs/salvage/${worker}`

export async function salvage(clone: Clone, seen: Survey, atMs: number): Promise<Salvaged> {
  const { tree: workTree, quarantine } = clone
  const git = quarantine.git
  const at = workTree.place('raw')
  await takeOut(git, at, seen.removed)
  const { fitting, tooLarge } = whatFits(clone, seen.written)
  const { tree: rawTree, failed } = await takenTree(git, at, fitting)

  // Where there is no room for what was made, there is none for what can be made again.
  const ignored = tooLarge.length > 0 ? { files: [], leftOut: seen.ignored } : smallOnes(clone, seen.ignored)
  const wanted = [
    ...seen.unnamable.map((path) => ({ path, under: 'refused' })),
    ...ignored.files.map((path) => ({ path, under: 'ignored' })),
    ...(await withoutSecrets(clone, ownCommits(clone.path))).map((path) => ({ path, under: 'git' })),
  ].filter(({ path }) => !clone.placed.isCopy(clone.path, path))
  const stored = await storeFiles({ git, place: quarantine.place, root: clone.path, wanted })
  const full = await withExtras(clone, rawTree, stored.entries)
  const isThere = (path: BytePath): boolean => lookAt(clone.path, path).kind !== 'gone'
  const unsaved = [...failed, ...tooLarge, ...stored.failed, ...seen.unsaved].filter(isThere)
  const missing = [
    ...failed.filter(isThere).map((path) => ({ path: pathText(path), why: 'unreadable' as const })),
    ...tooLarge.map((path) => ({ path: pathText(path), why: 'no_room' as const })),
  ]
  return {
    commit: await keep(clone, full, atMs),
    rawTree,
    unsaved: unsaved.map(pathText),
    missing,
    ignoredLeftOut: ignored.leftOut.map(pathText),
  }
}

/**
 * The smallest files first, as long as space is left for other work: saving what filled the disk would
 * fill the rest of it. Throws where there is no room at all: then it is not a question of what is saved first.
 */
function whatFits(
  { path: root, quarantine }: Clone,
  written: readonly BytePath[],
): { readonly fitting: readonly BytePath[]; readonly tooLarge: readonly BytePath[] } {
  const room = roomAt(quarantine.objects)
  if (room === null) return { fitting: written, tooLarge: [] }
  const sized = written.map((path) => ({ path, bytes: sizeOf(root, path) }))
  let left = room.bytes - roomToKeep(room.totalBytes) / 2
  if (sized.reduce((sum, { bytes }) => sum + bytes, 0) <= left) return { fitting: written, tooLarge: [] }
  const full = fullDisk([quarantine.objects])
  if (full !== null) throw new NeedsPerson(full)
  const tooLarge = new Set<BytePath>()
  for (const { path, bytes } of sized.sort((one, other) => one.bytes - other.bytes)) {
    if (bytes > Math.max(left, SMALL_FILE_BYTES)) tooLarge.add(path)
    else left -= bytes
  }
  return { fitting: written.filter((path) => !tooLarge.has(path)), tooLarge: [...tooLarge] }
}

async function keep(clone: Clone, tree: string, atMs: number): Promise<string> {
  const { quarantine } = clone
  const ref = salvageRef(clone.worker)
  const before = await quarantine.refValue(ref)
  if (before !== null && (await quarantine.treeOf(before)) === tree) return before
  const commit = await commitTree(quarantine, {
    tree,
    parents: [before ?? clone.start.commit],
    message: `What ${clone.worker} left\n`,
    author: BOSUN,
    atMs,
  })
  const kept = await quarantine.setRef(ref, commit, before)
  // A concurrent save came first: this one goes on top of it.
  return kept === commit ? commit : keep(clone, tree, atMs)
}

/** The raw tree and one folder more, made without an index of all its files. */
async function withExtras(clone: Clone, rawTree: string, extras: readonly Entry[]): Promise<string> {
  if (extras.length === 0) return rawTree
  const { git, place } = clone.quarantine
  const folder = await withScratchIndex(clone.tree.scratch, async (index) => {
    await setEntries(git, { ...place, index }, extras)
    return writeTree(git, { ...place, index })
  })
  const entries = (await git.read({ args: ['ls-tree', '-z', rawTree], at: place })).toString('latin1')
  let name = FOLDER
  while (entries.includes(`\t${name}\0`)) name += '-'
  const input = Buffer.from(`${entries}040000 tree ${folder}\t${name}\0`, 'latin1')
  return git.line({ args: ['mktree', '-z'], at: place, input })
}

function smallOnes(
  { path: root, placed }: Clone,
  entries: readonly BytePath[],
): { files: BytePath[]; leftOut: BytePath[] } {
  const files: BytePath[] = []
  const leftOut: BytePath[] = []
  let bytes = 0
  for (const entry of entries) {
    const below =
      filesBelow(root, entry, IGNORED.filesPerEntry)?.filter((path) => !placed.isOurs(root, path)) ?? null
    const size = below === null ? Infinity : below.reduce((sum, path) => sum + sizeOf(root, path), 0)
    if (below === null || bytes + size > IGNORED.bytes) leftOut.push(entry)
    else {
      files.push(...below)
      bytes += size
    }
  }
  return { files, leftOut }
}

function sizeOf(root: string, path: BytePath): number {
  const found = lookAt(root, path)
  return found.kind === 'file' ? found.bytes : 0
}

/** The worker's own `.git`, as files to copy, where it holds an object of its own or is no longer a folder. */
function ownCommits(root: string): readonly BytePath[] {
  const gitDir = fromText('.git')
  const found = lookAt(root, gitDir)
  if (found.kind === 'file' || found.kind === 'link') return [gitDir]
  if (found.kind !== 'folder') return []
  const objects = filesBelow(root, fromText('.git/objects'), OWN_COMMITS.files)
  // More objects than a worker makes by hand: kept as unreadable, so that the folder stays.
  if (objects === null) return [fromText('.git/objects')]
  if (!objects.some((path) => /\/objects\/([0-9a-f]{2}|pack)\//.test(path))) return []
  const rest = filesBelow(root, gitDir, 2 * OWN_COMMITS.files) ?? []
  return rest.filter((path) => path !== '.git/index')
}

/** A worker may have committed an env file, however it was kept from it: the objects that hold one are left out. */
async function withoutSecrets(clone: Clone, paths: readonly BytePath[]): Promise<readonly BytePath[]> {
  const { blobs } = clone.placed.record
  if (blobs.length === 0) return paths
  const loose = new Set(blobs.map(({ sha }) => `.git/objects/${sha.slice(0, 2)}/${sha.slice(2)}`))
  const packs = new Set<string>()
  for (const path of paths.filter((one) => one.endsWith('.idx'))) {
    if (await holdsSecret(clone, path)) packs.add(path.slice(0, -'.idx'.length))
  }
  return paths.filter((path) => !loose.has(path) && !packs.has(path.replace(/\.[^./]*$/, '')))
}

/** Read as a list of names, and by no git dir of the worker's. What cannot be read is taken for one that does. */
async function holdsSecret({ path: root, placed, quarantine }: Clone, path: BytePath): Promise<boolean> {
  const { blobs } = placed.record
  try {
    const input = readFileSync(onDisk(root, path))
    const args = ['show-index', `--object-format=${quarantine.objectFormat}`]
    const listing = await quarantine.git.read({ args, at: quarantine.place, input })
    const names = listing.toString('latin1')
    return blobs.some(({ sha }) => names.includes(sha))
  } catch {
    return true
  }
}

/** Files stored as objects byte for byte, under names any tree may hold. */
interface Wanted {
  readonly path: BytePath
  /** The folder it goes to. */
  readonly under: string
}

interface Stored {
  readonly entries: readonly Entry[]
  readonly failed: readonly BytePath[]
}

async function storeFiles(job: {
  git: Git
  place: GitPlace
  root: string
  wanted: readonly Wanted[]
}): Promise<Stored> {
  const { git, place, root } = job
  const files: (Wanted & { readonly mode: Entry['mode'] })[] = []
  const entries: Entry[] = []
  const failed: BytePath[] = []
  for (const one of job.wanted) {
    const found = lookAt(root, one.path)
    if (found.kind === 'file') files.push({ ...one, mode: (found.mode & 0o100) === 0 ? '100644' : '100755' })
    else if (found.kind === 'link') {
      const sha = await git.line({ args: ['hash-object', '-w', '--stdin'], at: place, input: found.target })
      entries.push({ mode: '120000', sha, path: placeOf(one) })
    } else if (found.kind === 'folder' || found.kind === 'unreadable') failed.push(one.path)
    // A pipe or a device holds no bytes.
  }
  const hashed = await hashFiles({ git, place, root, paths: files.map((one) => one.path) })
  for (const [at, one] of files.entries()) {
    const sha = hashed[at] ?? null
    if (sha === null) failed.push(one.path)
    else entries.push({ mode: one.mode, sha, path: placeOf(one) })
  }
  return { entries, failed }
}

async function hashFiles(job: {
  git: Git
  place: GitPlace
  root: string
  paths: readonly BytePath[]
}): Promise<(string | null)[]> {
  const { git, place, root, paths } = job
  if (paths.length === 0) return []
  const args = ['hash-object', '-w', '--no-filters', '--stdin-paths']
  const input = (some: readonly BytePath[]) => some.map((path) => `${quoted(onDisk(root, path))}\n`).join('')
  const all = await git.run({ args, at: place, input: input(paths) })
  if (all.kind === 'exited' && all.code === 0) return all.stdout.toString('utf8').trim().split('\n')
  const single: (string | null)[] = []
  for (const path of paths) {
    const one = await git.run({ args, at: place, input: input([path]) })
    single.push(one.kind === 'exited' && one.code === 0 ? one.stdout.toString('utf8').trim() : null)
  }
  return single
}

/** As git reads a name between quotes: any byte, also a line's end. */
function quoted(place: Buffer): string {
  const bytes = [...place].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
  return `"${bytes.join('')}"`
}

const placeOf = (one: Wanted): BytePath => bytePath(`${one.under}/${safePath(one.path)}`)

/** The same path with every name that may not stand in a tree written as `=` and its bytes in hexadecimal where needed. */
export function safePath(path: BytePath): BytePath {
  return bytePath(path.split('/').map(safeName).join('/'))
}

function safeName(name: string): string {
  const text = pathText(bytePath(name))
  const plain = !isGitName(text) && !/^=|^\.git|[\\\u{fffd}]/iu.test(text)
  if (plain) return name
  const bytes = [...Buffer.from(name, 'latin1')].map((byte) =>
    /[A-Za-z0-9._-]/.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).padStart(2, '0')}`,
  )
  return fromText(`=${bytes.join('')}`)
}
