/** Trees and commits as objects: what they hold, where two of them differ, and new ones made without a checkout. */
import { createHash } from 'node:crypto'
import type { Quarantine } from '../quarantine.ts'
import { bytePath, type BytePath } from './byte-path.ts'
import { fields, type Git, type GitCall, type Identity } from './git.ts'
import { setEntries, withScratchIndex, writeTree, type Entry } from './scratch-index.ts'

export interface TreeLeaf {
  /** As git prints it: `100644`, `100755`, `120000`, `160000`, `040000`. */
  readonly mode: string
  readonly sha: string
}

export interface TreeEntry extends TreeLeaf {
  readonly name: BytePath
}

/** What two trees hold at one path; null where one of them holds nothing there. */
export interface Difference {
  readonly path: BytePath
  readonly before: TreeLeaf | null
  readonly after: TreeLeaf | null
}

/** What a path is to hold: an object that is there, null for nothing, or a new file. */
export type TreeEdit = { readonly path: BytePath } & (
  | { readonly entry: TreeLeaf | null }
  | { readonly content: Buffer }
)

const FOLDER = '040000'
export const GITLINK = '160000'
const NOTHING = 0
const SPACE = 0x20

export const isFolder = (entry: TreeLeaf | null): boolean => entry?.mode === FOLDER

/** The entries of a tree object, in git's order. */
export function parseTree(content: Buffer, shaBytes: number): readonly TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(SPACE, at)
    const end = content.indexOf(NOTHING, space)
    entries.push({
      mode: content.toString('latin1', at, space).padStart(6, '0'),
      name: bytePath(content.toString('latin1', space + 1, end)),
      sha: content.toString('hex', end + 1, end + 1 + shaBytes),
    })
    at = end + 1 + shaBytes
  }
  return entries
}

type Parts = Pick<Quarantine, 'git' | 'place' | 'reader' | 'objectFormat'>

export class Trees {
  readonly #quarantine: Parts

  constructor(quarantine: Parts) {
    this.#quarantine = quarantine
  }

  /** Of a tree, or of a commit's. */
  async entries(tree: string): Promise<readonly TreeEntry[]> {
    const found = await this.#quarantine.reader.content(`${tree}^{tree}`)
    if (found === null) throw new Error(`no such tree: ${tree}`)
    return parseTree(found.content, found.sha.length / 2)
  }

  /** What a tree holds at a path, or null. */
  async at(tree: string, path: BytePath): Promise<TreeEntry | null> {
    const names = path.split('/')
    let folder = tree
    for (const [depth, name] of names.entries()) {
      const entry = (await this.entries(folder)).find((one) => one.name === name) ?? null
      if (depth === names.length - 1 || entry === null) return entry
      if (!isFolder(entry)) return null
      folder = entry.sha
    }
    return null
  }

  /** All files, links and submodules that differ, in git's order. A renamed file is one that went and one that came. */
  async differences(before: string, after: string): Promise<readonly Difference[]> {
    const found: Difference[] = []
    await this.#compare('', { before, after }, found)
    return found
  }

  async #compare(
    folder: string,
    { before, after }: { readonly before: string | null; readonly after: string | null },
    found: Difference[],
  ): Promise<void> {
    if (before === after) return
    const olds = await this.#byOrder(before)
    const news = await this.#byOrder(after)
    for (const key of [...new Set([...olds.keys(), ...news.keys()])].sort()) {
      const [old = null, young = null] = [olds.get(key), news.get(key)]
      if (old?.sha === young?.sha && old?.mode === young?.mode) continue
      const path = bytePath(`${folder}${key}`)
      if (key.endsWith('/'))
        await this.#compare(path, { before: old?.sha ?? null, after: young?.sha ?? null }, found)
      else found.push({ path, before: old, after: young })
    }
  }

  /** What a tree holds, by names that stand in git's order when they are sorted: a folder's ends with a slash. */
  async #byOrder(tree: string | null): Promise<ReadonlyMap<string, TreeLeaf>> {
    const entries = tree === null ? [] : await this.entries(tree)
    return new Map(entries.map(({ name, ...leaf }) => [isFolder(leaf) ? `${name}/` : name, leaf] as const))
  }

  /**
   * The tree with other entries at these paths, the last one where a path comes twice. A folder that holds nothing any
   * more goes too. Durable when it resolves.
   */
  async write(tree: string, edits: readonly TreeEdit[]): Promise<string> {
    const { git, place, objectFormat } = this.#quarantine
    const nothing = { mode: '0', sha: '0'.repeat(objectFormat === 'sha256' ? 64 : 40) }
    const entries: Entry[] = []
    for (const edit of edits) {
      const entry = 'content' in edit ? await this.#blob(edit.content) : (edit.entry ?? nothing)
      entries.push({ path: edit.path, mode: entry.mode, sha: entry.sha })
    }
    return withScratchIndex(place.gitDir, async (index) => {
      await git.read({ args: ['read-tree', tree], at: { ...place, index } })
      await setEntries(git, { ...place, index }, entries)
      return writeTree(git, { ...place, index })
    })
  }

  async #blob(input: Buffer): Promise<TreeLeaf> {
    const { git, place } = this.#quarantine
    const args = ['hash-object', '-w', '--stdin']
    return { mode: '100644', sha: await git.line({ args, at: place, input }) }
  }
}

/** What tells one change from every other. */
export const changeId = (differences: readonly Difference[]): string =>
  createHash('sha256').update(JSON.stringify(differences)).digest('hex')

/** File, link or submodule: a mode without its permissions. */
export const kindOf = ({ mode }: TreeLeaf): string => mode.slice(0, 3)

/** Every file, link and submodule of a tree, or of a commit's. */
export async function listTree(
  git: Git,
  tree: string,
  where: Pick<GitCall, 'at' | 'cwd' | 'settings'>,
): Promise<readonly Entry[]> {
  const output = await git.read({ args: ['ls-tree', '-r', '-z', '--full-tree', tree], ...where })
  return fields(output).map((line) => {
    const tab = line.indexOf('\t')
    const [mode = '', , sha = ''] = line.slice(0, tab).split(' ')
    return { mode, sha, path: bytePath(line.slice(tab + 1)) }
  })
}

/** Where submodules belong, in a listing that begins each line with a mode and has the path behind a tab. */
export function gitlinksIn(listing: readonly string[]): ReadonlySet<BytePath> {
  const links = listing.filter((line) => line.startsWith(GITLINK))
  return new Set(links.map((line) => bytePath(line.slice(line.indexOf('\t') + 1))))
}

export interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  readonly author: Identity
  readonly atMs: number
}

/** Makes a commit without a checkout. The same values make the same commit. */
export function commitTree(
  { git, place }: Pick<Quarantine, 'git' | 'place'>,
  { tree, parents, message, author, atMs }: NewCommit,
): Promise<string> {
  const date = `@${Math.floor(atMs / 1000)} +0000`
  return git.line({
    args: ['commit-tree', tree, ...[...new Set(parents)].flatMap((parent) => ['-p', parent])],
    at: place,
    input: message,
    env: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  })
}
