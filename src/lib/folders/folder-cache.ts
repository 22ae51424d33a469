/**
 * A cache of folders by key, handed out as copies, which may be changed freely. No hard links: writing through one
 * would change the cached folder.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { runTool } from '../process/run-capped.ts'

const COPY_MS = 10 * 60_000
/** The most keys kept; the least recently used go first. */
const MOST_KEPT = 8
const listSchema = z.array(z.string())

/** Of what an install depends on, besides this machine. */
export function cacheKey(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const part of parts) hash.update('\0').update(part)
  return hash.digest('hex')
}

const boundTo = (key: string, root: string): string => cacheKey(key, root)

export class FolderCache {
  readonly #folder: string
  readonly #most: number

  constructor(folder: string, most = MOST_KEPT) {
    this.#folder = folder
    this.#most = most
  }

  /** Copies the cached entries into the root, replacing what is there; false if nothing is cached or the copy fails. */
  async restore(key: string, root: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.#restore(key, root, signal)) || (await this.#restore(boundTo(key, root), root, signal))
  }

  async #restore(name: string, root: string, signal: AbortSignal | undefined): Promise<boolean> {
    const kept = join(this.#folder, name)
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

  /**
   * Keeps copies of these files and folders of the root, for this root alone where they name it. Two at once keep the same; the
   * first one stays.
   */
  async keep(
    key: string,
    root: string,
    entries: readonly string[],
    {
      isBound = false,
      signal,
    }: { readonly isBound?: boolean; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const kept = join(this.#folder, isBound ? boundTo(key, root) : key)
    if ((await entriesOf(kept)) !== null) return
    const draft = join(this.#folder, `unfinished-${randomUUID()}`)
    await mkdir(draft, { recursive: true, mode: 0o700 })
    try {
      for (const [place, entry] of entries.entries()) {
        if (!(await copyWhole(join(root, entry), join(draft, String(place)), signal))) return
      }
      await writeFile(join(draft, 'folders.json'), JSON.stringify(entries))
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

/** `cp` copies a hundred thousand files in seconds, and shares their blocks where the disk can. Nothing is left of half a copy. */
async function copyWhole(from: string, to: string, signal: AbortSignal | undefined): Promise<boolean> {
  const { code } = await runTool(['cp', '-a', from, to], dirname(to), { timeoutMs: COPY_MS, signal })
  if (code !== 0) await rm(to, { recursive: true, force: true })
  return code === 0
}
