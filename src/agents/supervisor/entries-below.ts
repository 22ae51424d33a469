import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs'
import { join } from 'node:path'

interface FoundEntry {
  readonly path: string
  readonly isFolder: boolean
}

interface Passed {
  /** Names of folders that are not entered, */
  readonly names?: ReadonlySet<string>
  /** and a path that is left out altogether. */
  readonly path?: string | null | undefined
}

/** Every entry below a folder, level by level, links not followed. */
export function* entriesBelow(folder: string, passed: Passed = {}): Generator<FoundEntry, void> {
  const folders = [folder]
  for (const next of folders) {
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name)
      if (path === passed.path) continue
      const isFolder = entry.isDirectory()
      yield { path, isFolder }
      if (isFolder && passed.names?.has(entry.name) !== true) folders.push(path)
    }
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // The worker may delete anything, even its workspace.
    return []
  }
}

/** Null for an entry that is gone since it was listed. */
export function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    // It was deleted, or its folder was closed.
    return null
  }
}
