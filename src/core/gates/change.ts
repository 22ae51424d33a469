/** The changes of a task's tree since the tree its worker started from, with files and syntax trees of both sides. */
import type { Parsed } from '../languages/syntax.ts'

export interface AddedLine {
  /** In the new file, from 1. */
  readonly line: number
  readonly text: string
}

export interface RemovedLine {
  /** In the old file, from 1. */
  readonly line: number
  readonly text: string
  /** Its position in the new file, from 1; one past the end if nothing follows. */
  readonly at: number
}

export interface ChangedFile {
  readonly path: string
  readonly kind: 'added' | 'modified' | 'deleted'
  /** New or changed lines; none for a deleted or binary file. */
  readonly added: readonly AddedLine[]
  /** Removed or changed lines; none for an added or binary file. */
  readonly removed: readonly RemovedLine[]
  /** The file as it is now; null if deleted or unreadable. */
  readonly lines: readonly string[] | null
  readonly isBinary: boolean
}

export interface Change {
  /** The tree the worker started from. */
  readonly base: string
  readonly files: readonly ChangedFile[]
}

/** Those that the others do not have as often, by their key. */
export function beyond<T>(
  items: readonly T[],
  others: readonly T[],
  keyOf: (item: T) => string,
): readonly T[] {
  const left = Map.groupBy(others, keyOf)
  return items.filter((item) => left.get(keyOf(item))?.shift() === undefined)
}

/** The lines of a file in the tree; null if missing or not text. */
export type FileLookup = (path: string) => readonly string[] | null

/** The file as it was before; null if it did not exist or is unreadable. */
export function linesBefore(file: ChangedFile): readonly string[] | null {
  if (file.kind === 'added' || file.isBinary) return null
  if (file.lines === null) return file.removed.map(({ text }) => text)
  const fresh = new Set(file.added.map(({ line }) => line))
  const gone = Map.groupBy(file.removed, ({ at }) => at)
  const before: string[] = []
  for (let line = 1; line <= file.lines.length + 1; line++) {
    for (const { text } of gone.get(line) ?? []) before.push(text)
    const here = file.lines[line - 1]
    if (here !== undefined && !fresh.has(line)) before.push(here)
  }
  return before
}

/** The first changed line of the file as it is now; null if unknown. */
export function firstLineOf(file: ChangedFile): number | null {
  const places = [file.added[0]?.line, file.removed[0]?.at].filter((place) => place !== undefined)
  return file.lines === null || places.length === 0 ? null : Math.min(...places)
}

/** The syntax trees of a change's files, on both sides. Null if the file is not on that side, or not text. */
export interface ChangeTrees {
  readonly before: (path: string) => Parsed | null
  readonly after: (path: string) => Parsed | null
}

interface SidesToParse {
  readonly before: readonly { readonly path: string; readonly text: string }[]
  readonly after: readonly { readonly path: string; readonly text: string }[]
}

/** The files to parse: all, or only the wanted ones. */
export function sidesToParse(
  { files }: Change,
  isWanted: (file: ChangedFile) => boolean = () => true,
): SidesToParse {
  const wanted = files.filter(isWanted)
  const text = (path: string, lines: readonly string[] | null) =>
    lines === null ? [] : [{ path, text: lines.join('\n') }]
  return {
    before: wanted.flatMap((file) => text(file.path, linesBefore(file))),
    after: wanted.flatMap(({ path, lines }) => text(path, lines)),
  }
}

type ByPath = ReadonlyMap<string, Parsed>

export const changeTrees = (before: ByPath, after: ByPath): ChangeTrees => ({
  before: (path) => before.get(path) ?? null,
  after: (path) => after.get(path) ?? null,
})

/** The files of a tree, before and after a change. */
export interface TreeFiles {
  readonly has: (path: string) => boolean
  /** Null if missing or not text. */
  readonly text: (path: string) => string | null
}

/** Unchanged files are read from the current tree. */
export function beforeFiles(change: Change, tree: TreeFiles): TreeFiles {
  const changed = new Map(change.files.map((file) => [file.path, file]))
  return {
    has: (path) => {
      const file = changed.get(path)
      return file === undefined ? tree.has(path) : file.kind !== 'added'
    },
    text: (path) => {
      const file = changed.get(path)
      return file === undefined ? tree.text(path) : (linesBefore(file)?.join('\n') ?? null)
    },
  }
}
