/**
 * Bosun's own bare repository for one of the user's: every object Bosun reads or makes lies here, and all its git
 * runs here. Nothing in it is collected as garbage, so a worker's clone may borrow its objects.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Recent } from '../lib/recent.ts'
import { Refusal } from '../lib/refusal.ts'
import { GitFailed, type Git, type GitPlace } from './git/git.ts'
import { gitFailure } from './git/git-failure.ts'
import { Gitlinks } from './git/gitlinks.ts'
import { ObjectReader, type CommitFacts } from './git/object-reader.ts'
import { ObjectWriter } from './git/object-writer.ts'
import { Trees } from './git/trees.ts'
import type { ObjectFormat, UserRepository } from './user-repository.ts'
import type { GitSession, Reading } from './git/git-session.ts'
import { SerialQueue } from '../lib/serial-queue.ts'

export class Quarantine {
  readonly git: Git
  readonly place: GitPlace
  readonly objectFormat: ObjectFormat
  readonly reader: ObjectReader
  readonly writer: ObjectWriter
  readonly trees: Trees
  readonly gitlinks: Gitlinks
  readonly #refs: RefWriter
  /** The known values of refs, null for missing ones; only this process moves them. */
  readonly #known = new Recent<string | null>()
  /** What was asked for before one of these may be answered after it. */
  #moves = 0

  private constructor(git: Git, gitDir: string, objectFormat: ObjectFormat) {
    this.git = git
    this.place = { gitDir }
    this.objectFormat = objectFormat
    this.reader = new ObjectReader(git, this.place)
    this.writer = new ObjectWriter(this.objects, objectFormat, (name, object) =>
      this.reader.learn(name, object),
    )
    this.trees = new Trees(this.reader, this.writer)
    this.gitlinks = new Gitlinks(this)
    this.#refs = new RefWriter(git, this.place)
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
    this.#moved(ref)
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
    const known = this.#known.get(ref)
    if (known !== undefined) return known
    const [found = null] = await this.#lookUp([ref])
    return found
  }

  /** Asks at once for refs that are going to be asked for one by one. */
  async lookUp(refs: readonly string[]): Promise<void> {
    const unknown = refs.filter((ref) => this.#known.get(ref) === undefined)
    if (unknown.length > 0) await this.#lookUp(unknown)
  }

  async #lookUp(refs: readonly string[]): Promise<readonly (string | null)[]> {
    const moves = this.#moves
    const found = (await this.reader.factsOf(refs)).map((facts) => facts?.sha ?? null)
    if (moves !== this.#moves) return found
    for (const [at, ref] of refs.entries())
      if (/^refs\/[\w./-]+$/.test(ref)) this.#known.keep(ref, found[at] ?? null)
    return found
  }

  #moved(ref: string, to?: string): void {
    this.#moves++
    if (to === undefined) this.#known.forget(ref)
    else this.#known.keep(ref, to)
  }

  /** Every ref below a prefix such as `refs/salvage/`, with the time of the commit it names. */
  async refs(prefix: string): Promise<readonly { ref: string; sha: string; atMs: number }[]> {
    const output = await this.git.line({
      args: ['for-each-ref', '--format=%(refname) %(objectname) %(committerdate:unix)', prefix],
      at: this.place,
    })
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [ref = '', sha = '', seconds = ''] = line.split(' ')
        return { ref, sha, atMs: Number(seconds) * 1000 }
      })
  }

  /** Sets a ref from `from` (null: it is not there) to `to`. Answers what it names then: `to`, or what came first. */
  async setRef(ref: string, to: string, from: string | null): Promise<string> {
    try {
      await this.#refs.set(ref, to, from)
      this.#moved(ref, to)
      return to
    } catch (error) {
      this.#moved(ref)
      const found = await this.refValue(ref)
      if (found === null || found === from) throw error
      return found
    }
  }

  async deleteRef(ref: string, value: string): Promise<void> {
    try {
      await this.git.read({ args: ['update-ref', '-d', ref, value], at: this.place })
    } finally {
      this.#moved(ref)
    }
  }

  async isAncestor(older: string, newer: string): Promise<boolean> {
    // Mostly one of them stands right on the other, and no history has to be walked to know it.
    if (older === newer || (await this.#parents(newer)).includes(older)) return true
    if ((await this.#parents(older)).includes(newer)) return false
    const args = ['merge-base', '--is-ancestor', older, newer]
    const outcome = await this.git.run({ args, at: this.place })
    if (outcome.kind !== 'exited' || outcome.code > 1) throw new GitFailed(args, outcome)
    return outcome.code === 0
  }

  async #parents(commit: string): Promise<readonly string[]> {
    return (await this.reader.commit(commit))?.parents ?? []
  }

  async commit(sha: string): Promise<CommitFacts> {
    const commit = await this.reader.commit(sha)
    if (commit === null) throw new Error(`there is no commit ${sha}`)
    return commit
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
  await git.read({
    args: [
      'init',
      '--bare',
      '--quiet',
      '--template=',
      '--initial-branch=none',
      `--object-format=${objectFormat}`,
      draft,
    ],
  })
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

async function liftLocks(gitDir: string): Promise<void> {
  const refs = (await readdir(join(gitDir, 'refs'), { recursive: true })).map((path) => join('refs', path))
  const top = await readdir(gitDir)
  const locks = [...top, ...refs].filter((path) => path.endsWith('.lock'))
  await Promise.all(locks.map((path) => rm(join(gitDir, path), { force: true })))
}

/** Asked for ahead, while git answers anyway: it is one answer less to wait for. An open transaction locks nothing. */
const START = 'start\0'
const DONE = 'start: ok\ncommit: ok\n'

class RefWriter {
  readonly #session: GitSession
  /** A git that refuses one change ends, and would take others that wait with it. */
  readonly #turns = new SerialQueue()

  constructor(git: Git, at: GitPlace) {
    this.#session = git.session({ args: ['update-ref', '-z', '--stdin'], at, greeting: START })
  }

  /** From `from` (null: it is not there) to `to`. Throws GitFailed where it is something else by now. */
  set(ref: string, to: string, from: string | null): Promise<void> {
    const change = from === null ? `create ${ref}\0${to}\0` : `update ${ref}\0${to}\0${from}\0`
    return this.#turns.run(() => this.#session.ask(`${change}commit\0${START}`, readDone))
  }
}

function readDone(bytes: Buffer): Reading<void> {
  if (bytes.length < DONE.length) return { needs: DONE.length }
  const reply = bytes.toString('utf8', 0, DONE.length)
  if (reply !== DONE) throw new Error(`unexpected output of git update-ref: ${reply}`)
  return { value: undefined, used: DONE.length }
}
