/** What a task's tree changes over the tree its worker started from. */

export interface AddedLine {
  /** In the new file, from 1. */
  readonly line: number
  readonly text: string
}

export interface ChangedFile {
  readonly path: string
  readonly kind: 'added' | 'modified' | 'deleted'
  /** Lines that are new or changed; none for a deleted or binary file. */
  readonly added: readonly AddedLine[]
  readonly isBinary: boolean
}

export interface Change {
  /** The tree the worker started from. */
  readonly base: string
  readonly files: readonly ChangedFile[]
}

/** The lines of a file in the tree; null where there is no such file, or it is not text. */
export type FileLookup = (path: string) => readonly string[] | null
