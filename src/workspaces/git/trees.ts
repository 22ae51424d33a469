/** Trees as objects: what they hold, where two of them differ, and one with other files in it. */
import { Recent } from '../../lib/recent.ts'
import { bytePath, type BytePath } from './byte-path.ts'
import type { ObjectReader } from './object-reader.ts'
import type { NewObject, ObjectWriter } from './object-writer.ts'

export interface TreeEntry {
  /** As git prints it: `100644`, `100755`, `120000`, `160000`, `040000`. */
  readonly mode: string
  readonly name: BytePath
  readonly sha: string
}

/** What two trees hold at one path; null where one of them holds nothing there. */
export interface Difference {
  readonly path: BytePath
  readonly before: TreeEntry | null
  readonly after: TreeEntry | null
}

export interface PlannedTree {
  readonly tree: string
  /** What is new in it, each before what names it. */
  readonly objects: readonly NewObject[]
}

/** What a path is to hold: an object that is there, null for nothing, or a new file. */
export type TreeEdit = { readonly path: BytePath } & (
  | { readonly entry: TreeLeaf | null }
  | { readonly content: Buffer }
)
type TreeLeaf = Pick<TreeEntry, 'mode' | 'sha'>

const FOLDER = '040000'
const KEPT_TREES = 64
/** Of a tree object; larger ones are not worth their memory. */
const KEPT_BYTES = 16 * 1024
const NOTHING = 0
const SPACE = 0x20

export const isFolder = (entry: TreeEntry | null | undefined): boolean => entry?.mode === FOLDER

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

export function treeContent(entries: readonly TreeEntry[]): Buffer {
  const sorted = [...entries].sort((a, b) => compare(orderOf(a), orderOf(b)))
  return Buffer.concat(
    sorted.flatMap(({ mode, name, sha }) => [
      Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`, 'latin1'),
      Buffer.from(sha, 'hex'),
    ]),
  )
}

/** Git sorts a folder as if its name ended with a slash. */
const orderOf = (entry: TreeEntry): string => (isFolder(entry) ? `${entry.name}/` : entry.name)
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

export class Trees {
  readonly #reader: ObjectReader
  readonly #writer: ObjectWriter
  readonly #read = new Recent<readonly TreeEntry[]>(KEPT_TREES)

  constructor(reader: ObjectReader, writer: ObjectWriter) {
    this.#reader = reader
    this.#writer = writer
  }

  /** Of a tree, or of a commit's. */
  async entries(tree: string): Promise<readonly TreeEntry[]> {
    const found = await this.#reader.content(`${tree}^{tree}`)
    if (found === null) throw new Error(`no such tree: ${tree}`)
    const known = this.#read.get(found.sha)
    if (known !== undefined) return known
    const entries = parseTree(found.content, found.sha.length / 2)
    if (found.bytes <= KEPT_BYTES) this.#read.keep(found.sha, entries)
    return entries
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

  /** All files, links and submodules that differ, in git's order. Only folders that differ are read. */
  async differences(before: string, after: string): Promise<readonly Difference[]> {
    if (before === after) return []
    const [old, young] = await Promise.all([this.entries(before), this.entries(after)])
    return this.#between(old, young, '')
  }

  async #between(
    before: readonly TreeEntry[],
    after: readonly TreeEntry[],
    prefix: string,
  ): Promise<readonly Difference[]> {
    const pairs = new Map<string, { before: TreeEntry | null; after: TreeEntry | null }>()
    const [gone, come] = withoutCommonEnds(before, after)
    for (const entry of gone) pairs.set(orderOf(entry), { before: entry, after: null })
    for (const entry of come) {
      const pair = pairs.get(orderOf(entry))
      if (pair === undefined) pairs.set(orderOf(entry), { before: null, after: entry })
      else pair.after = entry
    }
    const differing = [...pairs].filter(([, pair]) => !isSame(pair.before, pair.after))
    const found = await Promise.all(
      differing
        .sort(([a], [b]) => compare(a, b))
        .map(async ([, pair]): Promise<readonly Difference[]> => {
          const path = bytePath(`${prefix}${(pair.after ?? pair.before)?.name ?? ''}`)
          if (!isFolder(pair.before) && !isFolder(pair.after)) return [{ path, ...pair }]
          const [old, young] = await Promise.all([this.#below(pair.before), this.#below(pair.after)])
          return this.#between(old, young, `${path}/`)
        }),
    )
    return found.flat()
  }

  async #below(folder: TreeEntry | null): Promise<readonly TreeEntry[]> {
    return folder === null ? [] : this.entries(folder.sha)
  }

  /** The tree with these edits. Durable when it resolves. */
  async write(tree: string | null, edits: readonly TreeEdit[]): Promise<string> {
    const planned = await this.edited(tree, edits)
    await this.#writer.writeAll(planned.objects)
    return planned.tree
  }

  /** The tree with other entries at these paths, the last one where a path comes twice; nothing written yet. A folder that holds nothing any more goes too. */
  async edited(tree: string | null, edits: readonly TreeEdit[]): Promise<PlannedTree> {
    const objects: NewObject[] = []
    const split = edits.map((edit) => ({
      names: edit.path.split('/').map(bytePath),
      entry: 'content' in edit ? this.#blob(edit.content, objects) : edit.entry,
    }))
    const made = (await this.#edit(tree, split, objects)) ?? this.#made([], objects)
    return { tree: made, objects }
  }

  #blob(content: Buffer, objects: NewObject[]): TreeLeaf {
    const blob: NewObject = { type: 'blob', content }
    objects.push(blob)
    return { mode: '100644', sha: this.#writer.nameOf(blob) }
  }

  /** Null where nothing is left. */
  async #edit(
    tree: string | null,
    edits: readonly SplitEdit[],
    objects: NewObject[],
  ): Promise<string | null> {
    const entries = new Map((tree === null ? [] : await this.entries(tree)).map((one) => [one.name, one]))
    const byName = Map.groupBy(edits, ({ names: [name = bytePath('')] }) => name)
    for (const [name, own] of byName) {
      const leaf = own.findLast(({ names }) => names.length === 1)
      const old = entries.get(name)
      const below = own
        .filter(({ names }) => names.length > 1)
        .map(({ names, entry }) => ({ names: names.slice(1), entry }))
      const folder = isFolder(old) ? (old?.sha ?? null) : null
      const sha = below.length === 0 ? null : await this.#edit(folder, below, objects)
      const entry = leaf === undefined ? (sha === null ? null : { mode: FOLDER, sha }) : leaf.entry
      if (entry === null) entries.delete(name)
      else entries.set(name, { name, ...entry })
    }
    return entries.size === 0 ? null : this.#made([...entries.values()], objects)
  }

  #made(entries: readonly TreeEntry[], objects: NewObject[]): string {
    const made: NewObject = { type: 'tree', content: treeContent(entries) }
    objects.push(made)
    return this.#writer.nameOf(made)
  }
}

interface SplitEdit {
  readonly names: readonly BytePath[]
  readonly entry: TreeLeaf | null
}

/** Two trees are mostly alike: what they begin and end with alike is not looked at again. */
function withoutCommonEnds(
  before: readonly TreeEntry[],
  after: readonly TreeEntry[],
): readonly [readonly TreeEntry[], readonly TreeEntry[]] {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && isEqual(before[start], after[start])) start++
  let end = 0
  while (end < most - start && isEqual(before[before.length - 1 - end], after[after.length - 1 - end])) end++
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)]
}

function isEqual(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.name === other?.name && isSame(one ?? null, other ?? null)
}

function isSame(one: TreeEntry | null, other: TreeEntry | null): boolean {
  return one !== null && other !== null && one.sha === other.sha && one.mode === other.mode
}

/** As git lists it with `diff-tree -r -z --full-index`. */
export function rawLine({ path, before, after }: Difference): string {
  const nothing = '0'.repeat((before ?? after)?.sha.length ?? 0)
  const modes = `${before?.mode ?? '000000'} ${after?.mode ?? '000000'}`
  return `:${modes} ${before?.sha ?? nothing} ${after?.sha ?? nothing} ${letterOf(before, after)}\0${path}\0`
}

function letterOf(before: TreeEntry | null, after: TreeEntry | null): 'A' | 'D' | 'M' | 'T' {
  if (before === null) return 'A'
  if (after === null) return 'D'
  return kindOf(before) === kindOf(after) ? 'M' : 'T'
}

/** File, link or submodule: a mode without its permissions. */
export const kindOf = ({ mode }: TreeEntry): string => mode.slice(0, 3)
