/** Facts about the repository of a plan. */
import { normalPath } from '../languages/paths.ts'

export interface RepoFacts {
  /** Tracked paths relative to the root. Null without a repository. */
  readonly files: ReadonlySet<string> | null
  /** Where the plan's file is; null for standard input. */
  readonly planLocation: 'in_git' | 'beside_git' | 'outside' | null
  /** Whether the plan's design document exists; null if unchecked. */
  readonly designPresent: boolean | null
  /** Files that only sound like migrations, by what they hold. */
  readonly notMigrations: readonly string[]
}

export const NO_FACTS: RepoFacts = {
  files: null,
  planLocation: null,
  designPresent: null,
  notMigrations: [],
}

/** Whether a path exists as a file or folder; null if unknown. */
export type PathLookup = (path: string) => boolean | null

/** Looks up paths in the facts. Folders are collected on the first lookup of one. */
export function pathLookup(facts: RepoFacts): PathLookup {
  const { files } = facts
  if (files === null) return () => null
  let folders: ReadonlySet<string> | null = null
  return (path) => {
    const plain = normalPath(path)
    if (files.has(plain)) return true
    folders ??= foldersOf(files)
    return folders.has(plain)
  }
}

function foldersOf(files: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const file of files) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const folder = file.slice(0, at)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}
