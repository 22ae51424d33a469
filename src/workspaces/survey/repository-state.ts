/**
 * What decides how the user's repository behaves, at one moment: refs, HEAD, hooks, settings, the index, and its work trees. Two
 * of them say what changed in between.
 */
import { createHash } from 'node:crypto'
import { constants, type BigIntStats } from 'node:fs'
import { lstat, open, readdir, readlink } from 'node:fs/promises'
import { basename, isAbsolute, join, relative } from 'node:path'
import type { RepositoryChange } from '../../core/events/worker/repository-changed.ts'
import { errorCode } from '../../lib/files/system-error.ts'
import type { Git } from '../git/git.ts'
import type { UserRepository } from '../user-repository.ts'
import { indexDigest } from './index-digest.ts'

/** By name (`refs/heads/main`, `.git/hooks/pre-commit`), what is there. */
export type RepositoryState = Readonly<Record<string, string>>

/** Files that are hashed; a larger one is known by its size and times. */
const MOST_BYTES = 16 * 1024 * 1024
/** Of one folder. */
const MOST_FILES = 1000

/** Within the repository proper, and within the folder of each of its work trees. */
const OF_REPOSITORY = ['config', 'objects/info/alternates']
const FOLDERS = ['hooks', 'info']
const OF_WORK_TREE = ['HEAD', 'config.worktree', 'gitdir', 'commondir']

/** Looks at a repository again and again: a file that looks as it did before is not read again. */
export class RepositoryLook {
  readonly #git: Git
  readonly #user: Pick<UserRepository, 'root' | 'place'>
  readonly #known = new Map<string, { readonly stat: string; readonly found: string }>()

  constructor(git: Git, user: Pick<UserRepository, 'root' | 'place'>) {
    this.#git = git
    this.#user = user
  }

  async state(): Promise<RepositoryState> {
    const { gitDir } = this.#user.place
    const format = '--format=%(refname) %(objectname) %(symref)'
    const [refs, workTrees, ...inFolders] = await Promise.all([
      this.#git.read({ args: ['for-each-ref', format], at: this.#user.place }),
      filesIn(join(gitDir, 'worktrees')),
      ...FOLDERS.map(async (name) => (await filesIn(join(gitDir, name))).map((file) => join(name, file))),
    ])
    const places = ['', ...workTrees.map((name) => join('worktrees', name))]
    const files = [
      ...OF_REPOSITORY,
      ...inFolders.flat(),
      ...places.flatMap((place) => [...OF_WORK_TREE, 'index'].map((name) => join(place, name))),
    ]
    const found = await Promise.all(
      files.map(async (path) => [this.#shown(path), await this.#found(path)] as const),
    )
    return Object.fromEntries([
      ...refs
        .toString('utf8')
        .split('\n')
        .flatMap((line) => refIn(line)),
      ...found.flatMap(([name, what]) => (what === null ? [] : [[name, what] as const])),
    ])
  }

  /** As people name it: `.git/config`, or the whole path where the repository lies elsewhere. */
  #shown(path: string): string {
    const whole = join(this.#user.place.gitDir, path)
    const within = relative(this.#user.root, whole)
    return within.startsWith('..') || isAbsolute(within) ? whole : within
  }

  async #found(path: string): Promise<string | null> {
    const whole = join(this.#user.place.gitDir, path)
    try {
      const stat = await lstat(whole, { bigint: true })
      if (stat.isSymbolicLink()) return `link ${await readlink(whole)}`
      if (!stat.isFile()) return 'not a file'
      const looks = looksOf(stat)
      const known = this.#known.get(path)
      if (known?.stat === looks) return known.found
      const read = stat.size > MOST_BYTES ? looks : await this.#read(whole, path)
      const mode = (Number(stat.mode) & 0o7777).toString(8)
      const found = isIndex(path) ? read : `${mode} ${read}`
      this.#known.set(path, { stat: looks, found })
      return found
    } catch (error) {
      // A work tree or a lock that went meanwhile, or something that may not be read: which of them is known.
      const code = errorCode(error)
      return code === 'ENOENT' || code === 'ENOTDIR' ? null : `unreadable (${code ?? 'unknown'})`
    }
  }

  async #read(whole: string, path: string): Promise<string> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    await using file = await open(whole, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    if (!(await file.stat()).isFile()) return 'not a file'
    const bytes = await file.readFile()
    return isIndex(path) ? indexDigest(bytes) : createHash('sha256').update(bytes).digest('hex')
  }
}

const isIndex = (path: string): boolean => basename(path) === 'index' && !path.startsWith('hooks')

function refIn(line: string): readonly (readonly [string, string])[] {
  const [name = '', object = '', symbolic = ''] = line.split(' ')
  return name === '' ? [] : [[name, symbolic === '' ? object : symbolic]]
}

const looksOf = ({ ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string =>
  [ino, size, mode, mtimeNs, ctimeNs].join(' ')

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort().slice(0, MOST_FILES)
  } catch {
    // Mostly there are no further work trees.
    return []
  }
}

export function changesBetween(before: RepositoryState, after: RepositoryState): readonly RepositoryChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap((name) => {
    const [from, to] = [before[name] ?? null, after[name] ?? null]
    return from === to ? [] : [{ name, from, to }]
  })
}
