/** What is known of the repository a plan is for, as plain values. */
import { normalPath } from '../languages/paths.ts'

export interface RepoFacts {
  /** Tracked paths relative to the root. Null: there is no repository, so nothing is known. */
  readonly files: ReadonlySet<string> | null
  /** Where the plan's own file lies; null where that cannot be asked (standard input). */
  readonly planLies: 'in_git' | 'beside_git' | 'outside' | null
  /** Whether the design document the plan names is there; null: not looked. */
  readonly designPresent: boolean | null
}

export const NO_FACTS: RepoFacts = { files: null, planLies: null, designPresent: null }

/** Whether a path is there, as a file or as a folder; null: unknown. */
export type PathLookup = (path: string) => boolean | null

/** Asks the facts about paths. Folders are gathered once, when the first one is asked for. */
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
