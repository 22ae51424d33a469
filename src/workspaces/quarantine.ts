/**
 * Bosun's own bare repository for one of the user's: every object Bosun reads or makes lies here, and all its git
 * runs here. Nothing in it is collected as garbage, so a worker's clone may borrow its objects.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../lib/refusal.ts'
import { gitFailure, GitFailed, type Git, type GitPlace } from './git/git.ts'
import { ObjectReader, type ResidentGit } from './git/cat-file.ts'
import { Trees } from './git/trees.ts'
import type { ObjectFormat, UserRepository } from './user-repository.ts'

export class Quarantine {
  readonly git: Git
  readonly place: GitPlace
  readonly objectFormat: ObjectFormat
  readonly reader: ObjectReader
  readonly trees: Trees
  /** Changes refs one transaction after the other: git refuses to wait long for a ref that another change holds. */
  readonly #refs: ResidentGit

  private constructor(git: Git, gitDir: string, objectFormat: ObjectFormat) {
    this.git = git
    this.place = { gitDir }
    this.objectFormat = objectFormat
    this.reader = new ObjectReader(git, this.place)
    this.trees = new Trees(this)
    this.#refs = git.resident(['update-ref', '--stdin'], this.place)
  }

  /** Opens `<directory>/quarantine.git`, made when it is not there. Locks left by a killed Bosun are lifted: there is one. */
  static async open(options: {
    git: Git
    directory: string
    objectFormat: ObjectFormat
  }): Promise<Quarantine> {
    const { git, directory, objectFormat } = options
    const gitDir = join(directory, 'quarantine.git')
    if (!existsSync(gitDir)) await create({ git, gitDir, objectFormat })
    // As git wrote it when it made the repository.
    const config = await readFile(join(gitDir, 'config'), 'utf8')
    const format: ObjectFormat = /^\s*objectformat = sha256$/m.test(config) ? 'sha256' : 'sha1'
    if (format !== objectFormat) {
      throw new Refusal({
        code: 'conflict',
        message: `the repository now uses ${objectFormat}, but Bosun's copy uses ${format}`,
        remedy: `Move Bosun's copy away: ${directory}`,
      })
    }
    await liftLocks(gitDir)
    return new Quarantine(git, gitDir, objectFormat)
  }

  get objects(): string {
    return join(this.place.gitDir, 'objects')
  }

  /** Fetches the commit with its history, permanently. Idempotent. */
  async fetch(user: UserRepository, commit: string): Promise<void> {
    const ref = `refs/base/${commit}`
    if ((await this.refValue(ref)) === commit) return
    const outcome = await this.git.run({
      args: [...FETCH, '--update-shallow', user.place.gitDir, `${commit}:${ref}`],
      at: this.place,
    })
    if (outcome.kind === 'exited' && outcome.code === 0) return
    const { reason, remedy } = gitFailure(outcome, 'Check the repository: git fsck')
    throw new Refusal({
      code: 'failed',
      message: `cannot read commit ${commit.slice(0, 12)} from ${user.root}: ${reason}`,
      remedy,
      cause: new GitFailed(['fetch'], outcome),
    })
  }

  /** The object a ref of Bosun's names, or null. */
  async refValue(ref: string): Promise<string | null> {
    return (await this.reader.facts(ref))?.sha ?? null
  }

  /** Every ref below a prefix such as `refs/salvage/`, with the time of the commit it names. */
  async refs(prefix: string): Promise<readonly { ref: string; sha: string; atMs: number }[]> {
    const format = '--format=%(refname) %(objectname) %(committerdate:unix)'
    return (await this.lines('for-each-ref', format, prefix)).map((line) => {
      const [ref = '', sha = '', seconds = ''] = line.split(' ')
      return { ref, sha, atMs: Number(seconds) * 1000 }
    })
  }

  /** What git prints here, without empty lines. */
  async lines(...args: readonly string[]): Promise<readonly string[]> {
    return (await this.git.line({ args, at: this.place })).split('\n').filter((line) => line !== '')
  }

  /** Sets a ref from `from` (null: it is not there) to `to`. Answers what it names then: `to`, or what came first. */
  async setRef(ref: string, to: string, from: string | null): Promise<string> {
    try {
      await this.#changeRef(from === null ? `create ${ref} ${to}` : `update ${ref} ${to} ${from}`)
      return to
    } catch (error) {
      const found = await this.refValue(ref)
      if (found === null || found === from) throw error
      return found
    }
  }

  deleteRef(ref: string, value: string): Promise<void> {
    return this.#changeRef(`delete ${ref} ${value}`)
  }

  /** Rejects when nothing was changed: git says why, and ends. */
  #changeRef(change: string): Promise<void> {
    const done = 'start: ok\ncommit: ok\n'
    return this.#refs.ask(`start\n${change}\ncommit\n`, (bytes) => {
      if (bytes.length < done.length) return { needs: done.length }
      if (bytes.toString('utf8') === done) return { value: undefined }
      throw new Error(`unexpected output of git update-ref: ${bytes.toString('utf8', 0, 200)}`)
    })
  }

  async isAncestor(older: string, newer: string): Promise<boolean> {
    // Mostly one of the two was put right on the other.
    if ((await this.refValue(`${newer}^1`)) === older) return true
    if ((await this.refValue(`${older}^1`)) === newer) return false
    const args = ['merge-base', '--is-ancestor', older, newer]
    const outcome = await this.git.run({ args, at: this.place })
    if (outcome.kind !== 'exited' || outcome.code > 1) throw new GitFailed(args, outcome)
    return outcome.code === 0
  }

  /** The tree of a commit or of a tree. */
  async treeOf(object: string): Promise<string> {
    const tree = await this.reader.facts(`${object}^{tree}`)
    if (tree === null) throw new Error(`${object} has no tree`)
    return tree.sha
  }
}

async function create(options: { git: Git; gitDir: string; objectFormat: ObjectFormat }): Promise<void> {
  const { git, gitDir, objectFormat } = options
  const draft = `${gitDir}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  const bare = ['--bare', '--quiet', '--template=', '--initial-branch=none']
  await git.read({ args: ['init', ...bare, `--object-format=${objectFormat}`, draft] })
  await writeFile(join(draft, 'config'), SETTINGS, { flag: 'a' })
  await rename(draft, gitDir)
}

/** Brings objects over and nothing else: no tags, no FETCH_HEAD, no submodules, no upkeep. */
export const FETCH: readonly string[] = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--refmap=',
]

const SETTINGS = `[gc]
	auto = 0
	pruneExpire = never
[core]
	protectHFS = true
	protectNTFS = true
`

/** And removes index files of work that was cut short. */
async function liftLocks(gitDir: string): Promise<void> {
  const refs = (await readdir(join(gitDir, 'refs'), { recursive: true })).map((path) => join('refs', path))
  const top = await readdir(gitDir)
  const left = [...top, ...refs].filter((path) => path.endsWith('.lock') || path.startsWith('index-'))
  await Promise.all(left.map((path) => rm(join(gitDir, path), { force: true })))
}
