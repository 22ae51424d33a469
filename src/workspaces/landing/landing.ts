/** Moves a plan's branch to commits on top of it, here and in the user's repository; never anywhere else. */
import type { CommitTask } from '../../core/decide/effects.ts'
import { migrationsAmong } from '../../core/languages/migrations.ts'
import { slug, taskName } from '../../core/planning/ids.ts'
import { NeedsPerson } from '../../ports/workspace.ts'
import type { Git } from '../git/git.ts'
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

export interface LandingParts {
  readonly git: Git
  readonly user: UserRepository
  readonly quarantine: Quarantine
  readonly plan: string
}

export class Landing {
  readonly #parts: LandingParts

  constructor(parts: LandingParts) {
    this.#parts = parts
  }

  /** The commit the plan started from: what HEAD was when it was first asked for. */
  async base(): Promise<string> {
    const { quarantine, user } = this.#parts
    const known = await quarantine.refValue(this.#ref('base'))
    if (known !== null) return known
    await quarantine.fetch(user, user.base.commit)
    return quarantine.setRef(this.#ref('base'), user.base.commit, null)
  }

  /** What has landed: the tip of the plan's branch. */
  async tip(): Promise<string> {
    return (await this.#parts.quarantine.refValue(this.#ref('tip'))) ?? (await this.base())
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
    const { git, place } = this.#parts.quarantine
    const landed = await git.line({ args: ['rev-list', '--first-parent', upTo, `^${after}`], at: place })
    return landed.split('\n').includes(commit)
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
