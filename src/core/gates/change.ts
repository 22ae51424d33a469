/** The changes of a task's tree since the tree its worker started from. */

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
