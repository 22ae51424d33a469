import { entriesBelow, statsOf } from './entries-below.ts'

/** Large, and not what a worker was sent to change. */
const NAMES = new Set(['.git', 'node_modules', 'target', 'dist', 'build', '.venv', '.next'])
const ENTRIES_PER_LOOK = 4000
const MOST_ENTRIES = 200_000

export interface Looked {
  readonly folder: string
  /** What the worker hands to Bosun is no change of its work. */
  readonly outbox: string | null | undefined
}

/**
 * Detects changes in a folder since the last one reported. Each look reads a bounded number of entries and the next one
 * continues there, so in a large folder a change is seen some looks later.
 */
export class ChangedFiles {
  readonly #looked: Looked
  #newestMs: number
  #walk: ReturnType<typeof entriesBelow> | null = null

  constructor(looked: Looked, sinceMs: number) {
    this.#looked = looked
    this.#newestMs = sinceMs
  }

  look(nowMs: number): boolean {
    // A clock that was set back must not hide later changes.
    this.#newestMs = Math.min(this.#newestMs, nowMs)
    const before = this.#newestMs
    this.#walk ??= entriesIn(this.#looked)
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
export function hasChangedSince(looked: Looked, sinceMs: number): boolean {
  let entries = 0
  for (const { path } of entriesIn(looked)) {
    if (++entries > MOST_ENTRIES || changedAt(path) > sinceMs) return true
  }
  return false
}

const entriesIn = ({ folder, outbox }: Looked): ReturnType<typeof entriesBelow> =>
  entriesBelow(folder, { names: NAMES, path: outbox })

/** ctime: unlike mtime, a program cannot set it. */
const changedAt = (path: string): number => statsOf(path)?.ctimeMs ?? 0
