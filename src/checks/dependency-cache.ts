/**
 * Installs dependencies once per lock file. Every checkout gets a copy of its own: what a worker's tests do to their
 * dependencies must not reach the next gate. Nothing here is ever given to a worker.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isLockPath, nameOf } from '../core/planning/paths.ts'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import { runCapped } from '../lib/process/run-capped.ts'

const DEPENDENCIES = 'node_modules'
const COPY_MS = 10 * 60_000

export class DependencyCache {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Of the set-up, the machine, and every lock file and package.json; null without a lock file. */
  async keyFor(root: string, files: ReadonlySet<string>, setup: string): Promise<string | null> {
    const locks = [...files].filter((path) => isLockPath(path)).sort()
    if (locks.length === 0) return null
    const manifests = [...files]
      .filter((path) => nameOf(path) === 'package.json' || nameOf(path) === '.npmrc')
      .sort()
    const hash = createHash('sha256').update(`${setup}\0${process.platform} ${process.arch}`)
    for (const path of [...locks, ...manifests]) {
      hash.update(`\0${path}\0`).update(await readFile(join(root, path)))
    }
    return hash.digest('hex')
  }

  /** Puts a copy into the checkout; false where nothing is kept under this key. */
  async restore(key: string, root: string): Promise<boolean> {
    const kept = join(this.#folder, key)
    const list = join(kept, 'folders.json')
    if (!existsSync(list)) return false
    const folders = JSON.parse(await readFile(list, 'utf8')) as readonly string[]
    for (const [place, folder] of folders.entries()) {
      await rm(join(root, folder), { recursive: true, force: true })
      await mkdir(dirname(join(root, folder)), { recursive: true })
      if (!(await copyWhole(join(kept, String(place)), join(root, folder)))) return false
    }
    return true
  }

  /** Keeps what the set-up left in this checkout. Two at once keep the same; the first one stays. */
  async keep(key: string, root: string): Promise<void> {
    const kept = join(this.#folder, key)
    if (existsSync(kept)) return
    const draft = join(this.#folder, `unfinished-${randomUUID()}`)
    const folders = dependencyFolders(root)
    await mkdir(draft, { recursive: true })
    for (const [place, folder] of folders.entries()) {
      if (await copyWhole(join(root, folder), join(draft, String(place)))) continue
      await rm(draft, { recursive: true, force: true })
      return
    }
    await writeFile(join(draft, 'folders.json'), JSON.stringify(folders))
    await rename(draft, kept).catch(async () => rm(draft, { recursive: true, force: true }))
  }
}

/** Every `node_modules` that is in no other: packages of a workspace may have their own. */
function dependencyFolders(root: string): readonly string[] {
  const found: string[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name === '.git') continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.name === DEPENDENCIES) found.push(path)
      else folders.push(path)
    }
  }
  return found.sort()
}

/** `cp` copies a hundred thousand files in seconds, and shares their blocks where the disk can. */
async function copyWhole(from: string, to: string): Promise<boolean> {
  const { outcome } = await runCapped({
    command: ['cp', '-a', from, to],
    cwd: dirname(to),
    env: builtEnvironment(process.env),
    timeoutMs: COPY_MS,
    maxOutputBytes: 4096,
  })
  return outcome.kind === 'exited' && outcome.code === 0
}
