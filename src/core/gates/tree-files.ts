/** The files of a tree, before and after a change. */
import { linesBefore, type Change } from './change.ts'

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
