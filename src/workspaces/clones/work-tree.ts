/**
 * One folder with checked-out files, and Bosun's private git dirs to look at it through. Others may write anything
 * into the folder; no git of Bosun's ever uses a git dir that lies in it.
 */
import { lstatSync } from 'node:fs'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bytePath, onDisk, type BytePath } from '../git/byte-path.ts'
import { fields, type GitCall, type GitPlace } from '../git/git.ts'
import { gitlinksIn } from '../git/trees.ts'
import {
  privateGitDirs,
  writePrivateGitDirs,
  writeWorkerGitDir,
  type PrivateGitDirs,
  type Template,
} from '../git/git-dirs.ts'
import { excludeLines } from './placed.ts'
import type { Quarantine } from '../quarantine.ts'
import { removeFolder } from '../../lib/files/remove-folder.ts'
import { walk, type Walked } from './walk.ts'
import { orElse } from '../../lib/or-else.ts'

/** The changes on disk since the last checkout or look. */
export interface Status {
  readonly changed: readonly BytePath[]
  readonly deleted: readonly BytePath[]
  readonly untracked: readonly BytePath[]
  /** Collapsed: a folder stands for all its files. No trailing slash. */
  readonly ignored: readonly BytePath[]
}

export interface CheckOut {
  /** Where HEAD stands: a commit. */
  readonly commit: string
  /** What lies on disk: a tree; the commit's own when null. */
  readonly tree: string | null
}

const STATUS = [
  // It would write down what it has looked at, for a later one: there is none, the next checkout begins anew.
  '--no-optional-locks',
  'status',
  '--porcelain=v1',
  '-z',
  '--no-renames',
  '--ignore-submodules=all',
  '--ignored=matching',
  '--untracked-files=all',
]

/** How `ls-files -t` marks what is not in the index. */
const OTHER = '? '

export class WorkTree {
  readonly path: string
  readonly quarantine: Quarantine
  readonly #private: string
  readonly #dirs: PrivateGitDirs
  #gitlinks: ReadonlySet<BytePath> | null = null

  /** `path` is the folder others see; `private` the one they do not. */
  constructor(options: { quarantine: Quarantine; path: string; private: string }) {
    this.quarantine = options.quarantine
    this.path = options.path
    this.#private = options.private
    this.#dirs = privateGitDirs(options.private)
  }

  /** Whether there is a folder, and not a link to one; what is unreachable cannot be read either. */
  isThere(): boolean {
    return orElse(() => lstatSync(this.path).isDirectory(), false)
  }

  /** Through which git stores files: `plain` converts as the tree's attributes say, `raw` keeps every byte. */
  place(view: 'plain' | 'raw', index: string = this.#dirs.index): GitPlace {
    const gitDir = this.#dirs[view]
    return { gitDir, workTree: this.path, index, objects: this.quarantine.objects }
  }

  /** Where index files of one call may lie. */
  get scratch(): string {
    return this.#private
  }

  /**
   * Makes the folder hold exactly that tree, a fresh `.git` that ignores `exclude`, and nothing else. Unchanged files
   * are not rewritten. Save earlier content first. The result is verified: a folder that cannot be cleaned is rebuilt.
   */
  async checkOut(what: CheckOut, exclude: readonly BytePath[] = []): Promise<void> {
    const template: Template = {
      quarantine: this.quarantine,
      head: what.commit,
      exclude: excludeLines(exclude),
    }
    const tree = what.tree ?? what.commit
    this.#gitlinks = null
    if (!this.isThere() || !(await this.#reuse(template, tree))) await this.#rebuild(template, tree)
    await writeWorkerGitDir(this.path, this.#dirs, template)
  }

  /** The paths on disk that are not in the tree, collapsed to folders. It also says where submodules belong. */
  async extras(): Promise<readonly BytePath[]> {
    const args = ['ls-files', '-z', '-t', '--stage', '--others', '--directory', '--no-empty-directory']
    const lines = fields(await this.quarantine.git.read({ args, at: this.place('plain') }))
    const staged = lines.filter((line) => !line.startsWith(OTHER)).map((line) => line.slice(OTHER.length))
    this.#gitlinks = gitlinksIn(staged)
    return lines
      .filter((line) => line.startsWith(OTHER))
      .map((line) => bytePath(line.slice(OTHER.length).replace(/\/$/, '')))
  }

  /** Restores every file of the tree, and a fresh `.git` that ignores `exclude`. */
  async restoreFiles(what: CheckOut, exclude: readonly BytePath[]): Promise<void> {
    const template: Template = { quarantine: this.quarantine, head: what.commit }
    await this.quarantine.git.read(this.#writing(what.tree ?? what.commit))
    await writeWorkerGitDir(this.path, this.#dirs, { ...template, exclude: excludeLines(exclude) })
  }

  /** As it is byte for byte. */
  async status(): Promise<Status> {
    const output = await this.quarantine.git.read({ args: STATUS, at: this.place('raw') })
    const lines = fields(output)
    // The second column is what differs on disk; the first compares two things Bosun wrote itself.
    const pick = (wanted: (code: string) => boolean) =>
      lines
        .filter((line) => wanted(line.slice(0, 2)))
        .map((line) => bytePath(line.slice(3).replace(/\/$/, '')))
    return {
      changed: pick((code) => code[1] === 'M' || code[1] === 'T'),
      deleted: pick((code) => code[1] === 'D'),
      untracked: pick((code) => code === '??'),
      ignored: pick((code) => code === '!!'),
    }
  }

  async walk(ignored: readonly BytePath[]): Promise<Walked> {
    return walk({ root: this.path, skip: new Set(ignored), gitlinks: await this.gitlinks() })
  }

  /** Where submodules belong. It changes only with a checkout: nothing a worker does adds one or takes one away. */
  async gitlinks(): Promise<ReadonlySet<BytePath>> {
    if (this.#gitlinks !== null) return this.#gitlinks
    const args = ['ls-files', '-s', '-z']
    this.#gitlinks = gitlinksIn(fields(await this.quarantine.git.read({ args, at: this.place('raw') })))
    return this.#gitlinks
  }

  async #reuse(template: Template, tree: string): Promise<boolean> {
    if ((await writePrivateGitDirs(this.#dirs, template)) === 'other') return false
    const written = await this.quarantine.git.run(this.#writing(tree))
    if (written.kind !== 'exited' || written.code !== 0) return false
    const clean =
      (await this.#isClean('remove', await this.extras())) ||
      (await this.#isClean('leave', await this.extras()))
    // Git makes a submodule's folder once and does not miss it later.
    for (const path of clean ? await this.gitlinks() : [])
      await mkdir(onDisk(this.path, path), { recursive: true })
    return clean
  }

  /**
   * Whether nothing lies there but the tree, of which git has just compared every file; what does may be removed, to
   * be looked for once more.
   */
  async #isClean(rest: 'remove' | 'leave', others: readonly BytePath[]): Promise<boolean> {
    const walked = await this.walk(others)
    const extra = [
      ...others,
      // The folder around a nested repository may hold files of the tree.
      ...walked.oddities.filter((one) => one.kind !== 'nested_repository').map((one) => one.path),
      ...walked.emptyFolders,
    ]
    if (extra.length === 0 && !walked.opened) return true
    if (rest === 'remove') await this.#remove(extra)
    return false
  }

  async #remove(paths: readonly BytePath[]): Promise<void> {
    for (const path of paths) {
      try {
        await removeFolder(onDisk(this.path, path))
        // Git keeps no empty folders: those around it go with it.
        for (let at = parent(path); at !== null; at = parent(at)) await rmdir(onDisk(this.path, at))
      } catch {
        // A folder that holds more ends the climb. What resists is found by the next look, and all is rebuilt.
      }
    }
  }

  async #rebuild(template: Template, tree: string): Promise<void> {
    await discard(this.path, this.#private)
    await mkdir(this.path, { recursive: true, mode: 0o700 })
    await rm(this.#dirs.index, { force: true })
    await writePrivateGitDirs(this.#dirs, template)
    await this.quarantine.git.read(this.#writing(tree))
  }

  #writing(tree: string): GitCall {
    return { args: ['read-tree', '--reset', '-u', tree], at: this.place('plain') }
  }
}

function parent(path: BytePath): BytePath | null {
  const end = path.lastIndexOf('/')
  return end === -1 ? null : bytePath(path.slice(0, end))
}

/** Renames a folder away at once, then removes as much of it as possible. */
async function discard(path: string, near: string): Promise<void> {
  const trash = join(dirname(near), `${process.hrtime.bigint()}.trash`)
  await mkdir(near, { recursive: true, mode: 0o700 })
  try {
    await rename(path, trash)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  // Deeper than a path can name, or still being written: the next clean-up tries again.
  await removeFolder(trash).catch(() => undefined)
}
