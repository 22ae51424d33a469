/**
 * What compilers keep in a home, handed from a plan's baseline to the gates after it, as a copy for each. The baseline runs before
 * any work of the plan, so no worker's code has written it, and a copy that something changed since is not used. Caches that hold
 * results of tests are left out, or these are made to count for nothing: every gate runs its tests.
 */
import { chmodSync, lstatSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { addedTo, sightOf, type FolderSight } from '../../lib/folders/folder-sight.ts'
import { builtEnvironment } from '../../lib/process/built-environment.ts'
import { runCapped } from '../../lib/process/run-capped.ts'

const GO = '.cache/go-build'
/** Found by the content of what was compiled. */
const CACHES = [GO, '.cache/ccache', '.ccache']
/** Go takes no result from before this time, in nanoseconds: the last that it can count. */
const EXPIRES = ['testexpire.txt', '9223372036854775807\n'] as const
const OWNER_ONLY = 0o700
const COPY_MS = 60_000
/** Beyond this a copy may take longer than to compile again. */
const MOST_KIB = 1024 * 1024

interface Kept {
  readonly folder: string
  readonly entries: readonly string[]
  readonly sight: FolderSight
}

export class HomeCaches {
  readonly #folder: string
  #kept: Kept | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Removes what an earlier process left. Only before anything is kept. */
  async sweep(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Copies the caches into a home. It stays without them if they cannot be copied whole. */
  async give(home: string): Promise<void> {
    const kept = this.#kept
    if (kept === null) return
    const added = await addedTo(kept.sight, kept.folder, kept.entries)
    if (added === null || added.length > 0) return this.#forget(kept)
    for (const entry of kept.entries) await copyOrNone(join(kept.folder, entry), join(home, entry))
  }

  /** Takes the caches of a home in which nothing runs any more. */
  async keep(home: string): Promise<void> {
    const entries = CACHES.filter((entry) => isFolder(home, entry))
    if (entries.length === 0 || !(await isSmall(home, entries))) return
    const folder = join(this.#folder, randomUUID())
    for (const entry of entries) {
      await mkdir(dirname(join(folder, entry)), { recursive: true, mode: 0o700 })
      await moveOrCopy(join(home, entry), join(folder, entry))
    }
    const there = entries.filter((entry) => isFolder(folder, entry))
    const sight = there.length === 0 ? null : await sightOf(folder, there)
    const before = this.#kept
    if (sight === null) await rm(folder, { recursive: true, force: true })
    else this.#kept = { folder, entries: there, sight }
    if (sight !== null && before !== null) await rm(before.folder, { recursive: true, force: true })
  }

  async #forget(kept: Kept): Promise<void> {
    if (this.#kept === kept) this.#kept = null
    await rm(kept.folder, { recursive: true, force: true })
  }
}

/** No test result that an earlier command left in this home counts for the next one. */
export function expireTestResults(home: string): void {
  if (!isFolder(home, GO)) return
  const [name, text] = EXPIRES
  const place = join(home, GO, name)
  chmodSync(join(home, GO), OWNER_ONLY)
  // Never writes through a link.
  rmSync(place, { recursive: true, force: true })
  writeFileSync(place, text, { flag: 'wx' })
}

/** Nor is any folder above it within the home a link. */
function isFolder(home: string, entry: string): boolean {
  const parts = entry.split('/')
  return parts.every((_, at) => {
    const found = lstatSync(join(home, ...parts.slice(0, at + 1)), { throwIfNoEntry: false })
    return found?.isDirectory() === true
  })
}

async function moveOrCopy(from: string, to: string): Promise<void> {
  await rename(from, to).catch(() => copyOrNone(from, to))
}

async function copyOrNone(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const { outcome } = await called(['cp', '-a', from, to], dirname(to))
  if (outcome.kind !== 'exited' || outcome.code !== 0) await rm(to, { recursive: true, force: true })
}

async function isSmall(home: string, entries: readonly string[]): Promise<boolean> {
  const { outcome, output } = await called(['du', '-sk', ...entries], home)
  if (outcome.kind !== 'exited' || outcome.code !== 0) return false
  const sizes = output.head
    .toString()
    .trim()
    .split('\n')
    .map((line) => Number.parseInt(line, 10))
  return sizes.reduce((sum, size) => sum + size, 0) <= MOST_KIB
}

const called = (command: readonly string[], cwd: string) =>
  runCapped({ command, cwd, env: builtEnvironment(process.env), timeoutMs: COPY_MS, maxOutputBytes: 4096 })
