import { lstatSync, readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'

/** Large, and not what a worker was sent to change. */
const PASSED_OVER = new Set(['.git', 'node_modules', 'target', 'dist', 'build', '.venv', '.next'])
const ENTRIES_PER_LOOK = 4000
const MOST_ENTRIES = 200_000

/**
 * Detects changes in a folder since the last one reported. Each look reads a bounded number of entries and the next one
 * continues there, so in a large folder a change is seen some looks later.
 */
export class ChangedFiles {
  readonly #folder: string
  #newestMs: number
  #walk: Iterator<string> | null = null

  constructor(folder: string, sinceMs: number) {
    this.#folder = folder
    this.#newestMs = sinceMs
  }

  look(nowMs: number): boolean {
    // A clock that was set back must not hide later changes.
    this.#newestMs = Math.min(this.#newestMs, nowMs)
    const before = this.#newestMs
    this.#walk ??= entriesBelow(this.#folder)
    for (let entries = 0; entries < ENTRIES_PER_LOOK; entries++) {
      const next = this.#walk.next()
      if (next.done === true) {
        this.#walk = null
        break
      }
      this.#newestMs = Math.max(this.#newestMs, changedAt(next.value))
    }
    return this.#newestMs > before
  }
}

/** Looks at the whole folder at once, or at as much of it as is sensible: beyond that it counts as changed. */
export function hasChangedSince(folder: string, sinceMs: number): boolean {
  const walk = entriesBelow(folder)
  for (let entries = 0; entries < MOST_ENTRIES; entries++) {
    const next = walk.next()
    if (next.done === true) return false
    if (changedAt(next.value) > sinceMs) return true
  }
  return true
}

function* entriesBelow(folder: string): Iterator<string> {
  const folders = [folder]
  for (const next of folders) {
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name)
      yield path
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) folders.push(path)
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

/** ctime: unlike mtime, a program cannot set it. */
function changedAt(path: string): number {
  try {
    return lstatSync(path).ctimeMs
  } catch {
    // Gone since it was listed.
    return 0
  }
}
