import { entriesBelow, statsOf } from './entries-below.ts'

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
  #walk: ReturnType<typeof entriesBelow> | null = null

  constructor(folder: string, sinceMs: number) {
    this.#folder = folder
    this.#newestMs = sinceMs
  }

  look(nowMs: number): boolean {
    // A clock that was set back must not hide later changes.
    this.#newestMs = Math.min(this.#newestMs, nowMs)
    const before = this.#newestMs
    this.#walk ??= entriesBelow(this.#folder, PASSED_OVER)
    for (let entries = 0; entries < ENTRIES_PER_LOOK; entries++) {
      const next = this.#walk.next()
      if (next.done === true) {
        this.#walk = null
        break
      }
      this.#newestMs = Math.max(this.#newestMs, changedAt(next.value.path))
    }
    return this.#newestMs > before
  }
}

/** Looks at the whole folder at once, or at as much of it as is sensible: beyond that it counts as changed. */
export function hasChangedSince(folder: string, sinceMs: number): boolean {
  let entries = 0
  for (const { path } of entriesBelow(folder, PASSED_OVER)) {
    if (++entries > MOST_ENTRIES || changedAt(path) > sinceMs) return true
  }
  return false
}

/** ctime: unlike mtime, a program cannot set it. */
const changedAt = (path: string): number => statsOf(path)?.ctimeMs ?? 0
