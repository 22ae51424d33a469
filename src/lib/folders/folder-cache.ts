/**
 * A cache of folders by key, handed out as copies, which may be changed freely. No hard links: writing through one
 * would change the cached folder.
 */
import { randomUUID } from 'node:crypto'
import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { builtEnvironment } from '../process/built-environment.ts'
import { runCapped } from '../process/run-capped.ts'

const COPY_MS = 10 * 60_000
/** The most keys kept; the least recently used go first. */
const MOST_KEPT = 8
const listSchema = z.array(z.string())

export class FolderCache {
  readonly #folder: string
  readonly #most: number

  constructor(folder: string, most = MOST_KEPT) {
    this.#folder = folder
    this.#most = most
  }

  /** Copies the cached entries into the root, replacing what is there; false if nothing is cached or the copy fails. */
  async restore(key: string, root: string, signal?: AbortSignal): Promise<boolean> {
    const kept = join(this.#folder, key)
    const entries = await entriesOf(kept)
    if (entries === null) return false
    for (const [place, entry] of entries.entries()) {
      await rm(join(root, entry), { recursive: true, force: true })
      await mkdir(dirname(join(root, entry)), { recursive: true })
      if (!(await copyWhole(join(kept, String(place)), join(root, entry), signal))) return false
    }
    const now = new Date()
    // It is only about which goes first; one that was just cleared away has gone.
    await utimes(kept, now, now).catch(() => undefined)
    return true
  }

  /** Where the copies of a key are, for `share` of another cache. */
  place(key: string): string {
    return join(this.#folder, key)
  }

  /**
   * Lets a key stand for what another cache keeps, if that is exactly these entries of a root; false if not. It is gone
   * when the other cache forgets it.
   */
  async share(key: string, place: string, entries: readonly string[]): Promise<boolean> {
    const there = await entriesOf(place)
    if (there === null || there.toSorted().join('\0') !== entries.toSorted().join('\0')) return false
    const kept = join(this.#folder, key)
    if ((await entriesOf(kept)) !== null) return true
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await rm(kept, { recursive: true, force: true })
    const isShared = await symlink(place, kept).then(
      () => true,
      () => false,
    )
    await this.#forgetOldest()
    return isShared
  }

  /** What `restore` would copy; null if nothing is cached. */
  entries(key: string): Promise<readonly string[] | null> {
    return entriesOf(join(this.#folder, key))
  }

  /** Keeps copies of these files and folders of the root. Two at once keep the same; the first one stays. */
  async keep(key: string, root: string, entries: readonly string[], signal?: AbortSignal): Promise<void> {
    const kept = join(this.#folder, key)
    if ((await entriesOf(kept)) !== null) return
    const draft = join(this.#folder, `unfinished-${randomUUID()}`)
    await mkdir(draft, { recursive: true, mode: 0o700 })
    try {
      for (const [place, entry] of entries.entries()) {
        if (!(await copyWhole(join(root, entry), join(draft, String(place)), signal))) return
      }
      await writeFile(join(draft, 'folders.json'), JSON.stringify(entries))
      // Something shared that the other cache has forgotten.
      await unlink(kept).catch(() => undefined)
      // A concurrent writer won; its copy stays.
      await rename(draft, kept).catch(() => undefined)
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
    await this.#forgetOldest()
  }

  /** Removes what a killed process left half-written. Only without concurrent writers. */
  async sweep(): Promise<void> {
    for (const name of await namesIn(this.#folder))
      if (name.startsWith('unfinished-')) await rm(join(this.#folder, name), { recursive: true, force: true })
  }

  async #forgetOldest(): Promise<void> {
    const names = (await namesIn(this.#folder)).filter((name) => !name.startsWith('unfinished-'))
    const used = await Promise.all(
      names.map(async (name) => {
        const found = await stat(join(this.#folder, name)).catch(() => null)
        return { name, at: found?.mtimeMs ?? 0 }
      }),
    )
    for (const { name } of used.sort((a, b) => b.at - a.at).slice(this.#most)) {
      const gone = join(this.#folder, `unfinished-${randomUUID()}`)
      await rename(join(this.#folder, name), gone)
      await rm(gone, { recursive: true, force: true })
    }
  }
}

async function entriesOf(kept: string): Promise<readonly string[] | null> {
  try {
    return listSchema.parse(JSON.parse(await readFile(join(kept, 'folders.json'), 'utf8')))
  } catch {
    // Nothing is kept there, or nothing that can be used.
    return null
  }
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])

/** `cp` copies a hundred thousand files in seconds, and shares their blocks where the disk can. */
async function copyWhole(from: string, to: string, signal: AbortSignal | undefined): Promise<boolean> {
  const { outcome } = await runCapped({
    command: ['cp', '-a', from, to],
    cwd: dirname(to),
    env: builtEnvironment(process.env),
    timeoutMs: COPY_MS,
    maxOutputBytes: 4096,
    signal,
  })
  return outcome.kind === 'exited' && outcome.code === 0
}
