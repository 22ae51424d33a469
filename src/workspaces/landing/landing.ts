/** Moves a plan's branch to commits on top of it, here and in the user's repository; never anywhere else. */
import type { CommitTask } from '../../core/decide/effects.ts'
import { migrationsAmong } from '../../core/languages/migrations.ts'
import { slug, taskName } from '../../core/planning/ids.ts'
import { NeedsPerson } from '../../ports/workspace.ts'
import { clip } from '../../core/planning/readers/markdown/inline.ts'
import { oneLine } from '../../lib/text/counted.ts'
import type { Clock } from '../../ports/clock.ts'
import { commitTree } from '../git/trees.ts'
import { BOSUN, type Git } from '../git/git.ts'
import { withFiles } from './commits.ts'
import {
  checkpointTag,
  heldBranch,
  publish,
  workingBranch,
  type Published,
  type RefUpdate,
} from './publish.ts'
import type { Quarantine } from '../quarantine.ts'
import type { UserRepository } from '../user-repository.ts'

/** What a plan is made from: the first commit of its branch, and a further one where it is changed later. */
export interface ApprovedSpec {
  readonly path: string
  readonly content: string
  readonly title: string
}

const LONGEST_SUBJECT = 72

export interface LandingParts {
  readonly clock: Pick<Clock, 'now'>
  readonly git: Git
  readonly user: UserRepository
  readonly quarantine: Quarantine
  readonly plan: string
  /** Null for a plan that was not made from one. */
  readonly approvedSpec: () => ApprovedSpec | null
}

export class Landing {
  readonly #parts: LandingParts
  #base: Promise<string> | null = null
  #spec: Promise<void> | null = null

  constructor(parts: LandingParts) {
    this.#parts = parts
  }

  /** The user's commit that the plan started from: what HEAD was when it was first asked for. */
  async start(): Promise<string> {
    const base = await this.base()
    return (await this.#parts.quarantine.refValue(this.#ref('start'))) ?? base
  }

  /** What work begins on: the user's commit, and the approved spec on it. */
  async base(): Promise<string> {
    const making = (this.#base ??= this.#makeBase())
    try {
      return await making
    } catch (error) {
      if (this.#base === making) this.#base = null
      throw error
    }
  }

  async #makeBase(): Promise<string> {
    const { quarantine, user } = this.#parts
    const known = await quarantine.refValue(this.#ref('base'))
    if (known !== null) return known
    const start = (await quarantine.refValue(this.#ref('start'))) ?? user.base.commit
    await quarantine.fetch(user, start)
    const spec = this.#parts.approvedSpec()
    if (spec === null) return quarantine.setRef(this.#ref('base'), start, null)
    await quarantine.setRef(this.#ref('start'), start, await quarantine.refValue(this.#ref('start')))
    return quarantine.setRef(this.#ref('base'), await this.#specCommit(start, spec), null)
  }

  /** The commit below itself where it holds the spec already. */
  async #specCommit(parent: string, { path, content, title }: ApprovedSpec): Promise<string> {
    const { quarantine, user, clock } = this.#parts
    const before = await quarantine.treeOf(parent)
    const tree = await withFiles(quarantine, before, [{ path, content }])
    if (tree === before) return parent
    return commitTree(quarantine, {
      tree,
      parents: [parent],
      message: `${clip(`docs(spec): ${oneLine(title)}`, LONGEST_SUBJECT)}\n`,
      author: user.identity ?? BOSUN,
      atMs: clock.now(),
    })
  }

  /** What has landed: the tip of the plan's branch. */
  async tip(): Promise<string> {
    const committing = (this.#spec ??= this.#commitChangedSpec())
    try {
      await committing
    } catch (error) {
      if (this.#spec === committing) this.#spec = null
      throw error
    }
    return this.#landed()
  }

  async #landed(): Promise<string> {
    return (await this.#parts.quarantine.refValue(this.#ref('tip'))) ?? (await this.base())
  }

  /** On what has landed: work that was proven without it is proven again. What tasks did to the file is left alone. */
  async #commitChangedSpec(): Promise<void> {
    const { quarantine } = this.#parts
    const spec = this.#parts.approvedSpec()
    // A verification of the release takes a commit of its own only of a document, not of a file that may be a program's.
    if (spec?.path.endsWith('.md') !== true) return
    const known = await quarantine.refValue(this.#ref('spec'))
    const before = await quarantine.treeOf(known ?? (await this.base()))
    if ((await withFiles(quarantine, before, [spec])) === before) return
    const tip = await this.#landed()
    const commit = await this.#specCommit(tip, spec)
    // The tip first: a spec that is noted has landed.
    if (commit !== tip)
      await quarantine.setRef(this.#ref('tip'), commit, await quarantine.refValue(this.#ref('tip')))
    await quarantine.setRef(this.#ref('spec'), commit, known)
  }

  /** The commit that was made before, if it landed or still can; one that something else overtook is forgotten. */
  async madeFor(ref: string, tip: string): Promise<string | null> {
    const { quarantine } = this.#parts
    const made = await quarantine.refValue(ref)
    if (made === null || made === tip) return made
    if ((await quarantine.refValue(`${made}^1`)) === tip || (await quarantine.isAncestor(made, tip)))
      return made
    await quarantine.deleteRef(ref, made)
    return null
  }

  /** Moves the plan's branch to a commit on top of it, here and for the user. A repeated call completes it. */
  async land(sha: string, extra: readonly RefUpdate[]): Promise<void> {
    const { quarantine, plan } = this.#parts
    const tip = await this.tip()
    const isLanded = tip === sha || (await quarantine.isAncestor(sha, tip))
    const from = isLanded ? null : await quarantine.refValue(this.#ref('tip'))
    if (!isLanded) await quarantine.setRef(this.#ref('tip'), sha, from)
    const published = await quarantine.refValue(this.#ref('published'))
    const to = await this.tip()
    const since = published ?? (await this.base())
    const isOurs = (found: string): Promise<boolean> => this.#landedBetween(found, since, to)
    // A task that is done again finds its tag and its branch where it landed before.
    const wasOurs = async (found: string): Promise<boolean> =>
      this.#landedBetween(found, await this.base(), to)
    const updates: readonly RefUpdate[] = [
      { ref: workingBranch(plan), to, from: published, isOurs },
      ...extra.map((update) => ({ ...update, isOurs: wasOurs })),
    ]
    const done = await publish({ ...this.#parts, updates, reason: `plan ${plan}` })
    if (!done.ok) {
      const why = whyNot(done, updates.find(({ ref }) => 'ref' in done && ref === done.ref)?.from)
      throw done.why === 'busy' ? new Error(why) : new NeedsPerson(why)
    }
    if (published !== to) await quarantine.setRef(this.#ref('published'), to, published)
  }

  /** Whether a commit is one of Bosun's that landed after `after` and up to `upTo`. */
  async #landedBetween(commit: string, after: string, upTo: string): Promise<boolean> {
    const landed = await this.#parts.quarantine.lines('rev-list', '--first-parent', upTo, `^${after}`)
    return landed.includes(commit)
  }

  #ref(name: string): string {
    return `refs/plans/${this.#parts.plan}/${name}`
  }
}

const INFRASTRUCTURE = /(^|\/)(infra|terraform|k8s|deploy)\/|(^|\/)Dockerfile$/

/** A critical task leaves a tag; one that also migrates or changes infrastructure has a branch of its own. */
export function extraRefs(plan: string, request: CommitTask, sha: string): RefUpdate[] {
  const { spec, tier, tag, draft } = request
  const task = taskName(spec.id)
  const { changed, scan } = draft
  const isWide =
    migrationsAmong(changed, scan?.notMigrations).length > 0 ||
    changed.some((path) => INFRASTRUCTURE.test(path))
  const isHeld = tier === 'critical' && isWide
  const short = slug(spec.title, 30)
  return [
    ...(isHeld ? [{ ref: heldBranch(plan, task, short), to: sha, from: null }] : []),
    ...(tag === null ? [] : [{ ref: checkpointTag(plan, task), to: sha, from: null }]),
  ]
}

/** `ours` is where Bosun last had the ref, if it had. */
function whyNot(done: Exclude<Published, { ok: true }>, ours: string | null | undefined): string {
  const name = 'ref' in done ? done.ref.replace(/^refs\/(heads|tags)\//, '') : ''
  switch (done.why) {
    case 'busy':
      return `another git process is using the repository: ${done.detail.trim()}`
    case 'moved':
      return ours === null
        ? `${name} already exists at ${done.found.slice(0, 12)} and Bosun did not create it; rename it`
        : `${name} was moved outside Bosun to ${done.found.slice(0, 12)}; move it back to ${ours}`
    case 'deleted':
      return `${name} was deleted outside Bosun; restore it: git branch ${name} ${ours}`
    case 'checked_out':
      return `${name} is checked out in ${done.where}; switch to another branch there`
    case 'not_fast_forward':
      return `${name} cannot be fast-forwarded`
    case 'in_the_way':
      return `the ref ${name} blocks Bosun's branch; rename it`
  }
}
