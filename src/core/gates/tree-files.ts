/** The files of a tree, now and before a change. */
import { linesBefore, type Change } from './change.ts'

export interface TreeFiles {
  readonly has: (path: string) => boolean
  /** Null where there is none, or it cannot be read as text. */
  readonly text: (path: string) => string | null
}

/** What was not changed is what it is now. */
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
