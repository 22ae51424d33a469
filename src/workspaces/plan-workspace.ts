/**
 * Where one plan is worked on: workers' clones, the branch that proven work lands on, and what the user
 * sees of it. All it has to remember is refs in the quarantine, so it may be made anew at any time.
 */
import { createHash } from 'node:crypto'
import type {
  CollectWork,
  CommitTask,
  PrepareRelease,
  StartWorker,
  StopWorker,
  TakeBaseline,
} from '../core/effects.ts'
import { commitMessage } from '../core/delivery/commit-message.ts'
import { reviewArtifact, reviewPath } from '../core/delivery/review-artifact.ts'
import { slug, taskName, workerId } from '../core/planning/ids.ts'
import type { Clock } from '../ports/clock.ts'
import {
  NeedsPerson,
  WorkspaceNotReady,
  type Baseline,
  type Collected,
  type Committed,
  type Workspace,
} from '../ports/workspace.ts'
import { fromText, pathText } from './byte-path.ts'
import type { ClonePool } from './clone-pool.ts'
import type { Clone } from './clone.ts'
import { commitOnce, commitRef, rebaseTree, withFiles } from './commits.ts'
import { commitTree, type NewCommit } from './commit-tree.ts'
import { furnish, type Furnishing, type Given } from './furnish.ts'
import { BOSUN, type Git, type Identity } from './git.ts'
import {
  checkpointTag,
  heldBranch,
  publish,
  workingBranch,
  type Published,
  type RefUpdate,
} from './publish.ts'
import { OneAtATime } from './one-at-a-time.ts'
import type { Quarantine } from './quarantine.ts'
import { manifestText, releaseFiles, withoutPlaces } from './release-files.ts'
import { salvageRef } from './salvage.ts'
import { collect, saveWork } from './snapshot.ts'
import { scanBetween } from './tree-change.ts'
import { lineCount } from './tree-diff.ts'
import { rawLine } from './trees.ts'
import type { UserRepository } from './user-repository.ts'
import { refusedWords } from './survey.ts'

export interface PlanWorkspaceParts {
  readonly git: Git
  readonly user: UserRepository
  readonly quarantine: Quarantine
  readonly clones: ClonePool
  readonly furnishing: Furnishing
  readonly clock: Clock
  readonly plan: string
  readonly reviewFolder: string
  readonly releaseFolder: string
  /** What the base is like: the shared context, failing tests, what of the plan is there. */
  readonly look: (
    at: { readonly sha: string; readonly tree: string },
    asked: Pick<TakeBaseline, 'tasks' | 'round' | 'choices'> & { readonly signal: AbortSignal },
  ) => Promise<Omit<Baseline, 'sha'>>
}

/** A worker's folder, and what it is to know of what else lies in it. */
export interface Prepared {
  readonly path: string
  readonly notes: readonly string[]
}

export class PlanWorkspace implements Workspace {
  readonly #parts: PlanWorkspaceParts
  readonly #turns = new OneAtATime()

  constructor(parts: PlanWorkspaceParts) {
    this.#parts = parts
  }

  async takeBaseline(request: TakeBaseline, signal: AbortSignal): Promise<Baseline> {
    const sha = await this.base()
    const tree = await this.#parts.quarantine.treeOf(sha)
    return { sha, ...(await this.#parts.look({ sha, tree }, { ...request, signal })) }
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

  /**
   * A folder for a worker: the branch as it is now, with the draft of the attempt before on top where it
   * fits, dependencies and env files placed. A reviewer gets exactly the draft. It rejects with WorkspaceNotReady or
   * NeedsPerson and nothing else.
   */
  async prepare(job: StartWorker, given: Given): Promise<Prepared> {
    try {
      return await this.#prepare(job, given)
    } catch (error) {
      if (error instanceof WorkspaceNotReady || error instanceof NeedsPerson) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new WorkspaceNotReady(`its workspace could not be made ready: ${reason}`, { cause: error })
    }
  }

  async #prepare(job: StartWorker, given: Given): Promise<Prepared> {
    const { clones, furnishing } = this.#parts
    await this.#giveBack(job.spec.id, job.worker)
    const commit = await this.tip()
    const tree = job.context.draft === null ? null : await this.#draftOnto(job, commit)
    const start = { commit, tree, sparse: null }
    const clone = await clones.acquire(job.worker, start, (room) =>
      furnish(furnishing, room, { ...given, choices: job.atStart?.choices ?? [] }),
    )
    return { path: clone.path, notes: clone.placed.record.notes }
  }

  /** Folders of those who worked at a task before: reviewers, and whoever left what may not land. */
  async #giveBack(task: string, except: string | null): Promise<void> {
    const { clones, clock, plan } = this.#parts
    const own = new RegExp(`^${workerId(plan, task, 1).slice(0, -1)}\\d+(-review-\\d+)?$`)
    for (const worker of await clones.workers()) {
      if (worker !== except && own.test(worker)) await clones.release(worker, clock.now())
    }
  }

  async #draftOnto(job: StartWorker, onto: string): Promise<string | null> {
    const { draft } = job.context
    if (draft === null || draft.tree === '') return null
    const base = await this.#startOf(draft.worker)
    if (base === null || job.role === 'reviewer') return draft.tree
    const merged = await rebaseTree(this.#parts.quarantine, { tree: draft.tree, base, onto })
    return merged.ok ? merged.tree : null
  }

  /** How many lines a file has that a worker was given, or of one that its draft deletes; null: there is none. */
  async linesSeenBy(worker: string, path: string): Promise<number | null | undefined> {
    const clone = await this.#parts.clones.find(worker)
    if (clone === null) return undefined
    const { tree, commit } = clone.start
    return (
      (tree === null ? null : await lineCount(this.#parts.quarantine, tree, path)) ??
      (await lineCount(this.#parts.quarantine, commit, path))
    )
  }

  async save(request: StopWorker): Promise<void> {
    const { clones, clock } = this.#parts
    const clone = await clones.find(request.worker)
    if (clone !== null) await saveWork(clone, clock.now())
  }

  async collect(request: CollectWork): Promise<Collected> {
    const { clones } = this.#parts
    const { worker } = request
    await this.#parts.quarantine.lookUp([
      collectedRef(worker),
      salvageRef(worker),
      this.#ref(`onto/${worker}`),
    ])
    const tip = await this.tip()
    const clone = await clones.find(worker)
    if (clone !== null) return this.#collectFrom(clone, tip)
    // Its folder was given back already, or it never had one: what was collected of it is kept.
    const base = await this.#startOf(request.worker)
    const { quarantine } = this.#parts
    const kept = base === null ? null : await quarantine.treeOf(collectedRef(request.worker))
    if (base === null || kept === null)
      return { tree: await quarantine.treeOf(tip), changed: [], salvage: '' }
    return this.#onto(request.worker, { tree: kept, base, tip, salvage: `refs/salvage/${request.worker}` })
  }

  async #collectFrom(clone: Clone, tip: string): Promise<Collected> {
    const { quarantine, clones, clock } = this.#parts
    const taken = await collect(clone, { atMs: clock.now() })
    const salvage = `refs/salvage/${clone.worker}`
    if (!taken.ok) {
      const refused =
        taken.why === 'missing'
          ? 'its workspace is gone'
          : taken.refused.map(({ path, reason }) => `${path}: ${refusedWords(reason)}`).join('; ')
      return { tree: await quarantine.treeOf(tip), changed: [], salvage, refused }
    }
    const work = { tree: taken.tree, base: clone.start.commit, tip, salvage }
    const collected = await this.#onto(clone.worker, work)
    const justSaved = taken.isNew ? { commit: taken.salvage, unsaved: taken.unsaved } : null
    await clones.release(clone.worker, clock.now(), justSaved)
    return collected
  }

  /** The work on top of what has landed by now; where that is remembered, since only there it is proven. */
  async #onto(
    worker: string,
    work: { readonly tree: string; readonly base: string; readonly tip: string; readonly salvage: string },
  ): Promise<Collected> {
    const { quarantine } = this.#parts
    const merged = await rebaseTree(quarantine, { tree: work.tree, base: work.base, onto: work.tip })
    if (!merged.ok) {
      const what = merged.why === 'conflict' ? merged.paths.join(', ') : 'everything'
      const refused = `it conflicts with what landed meanwhile in ${what}`
      return {
        tree: work.tree,
        changed: (await this.#difference(work.base, work.tree)).changed,
        salvage: work.salvage,
        refused,
      }
    }
    const ref = this.#ref(`onto/${worker}`)
    await quarantine.setRef(ref, work.tip, await quarantine.refValue(ref))
    const difference = await this.#difference(work.tip, merged.tree)
    const files = difference.changed.length
    const base = await quarantine.treeOf(work.tip)
    const scan = await scanBetween(quarantine, { base, tree: merged.tree, files })
    return { tree: merged.tree, salvage: work.salvage, ...difference, scan }
  }

  /** One after the other: each stands on the one before. */
  commit(request: CommitTask): Promise<Committed> {
    return this.#turns.run(() => this.#commit(request))
  }

  async #commit(request: CommitTask): Promise<Committed> {
    const { quarantine, plan, reviewFolder } = this.#parts
    const { spec, attempt, draft } = request
    const key = { plan, task: taskName(spec.id), attempt }
    const path = reviewPath(reviewFolder, spec.id)
    const tip = await this.tip()
    const before = await this.#madeFor(commitRef(key), tip)
    if (before === null) {
      const onto = await quarantine.refValue(this.#ref(`onto/${draft.worker}`))
      if (onto !== tip) return { ok: false, moved: true, reason: 'something landed since it was proven' }
    }
    const sha = before ?? (await commitOnce(quarantine, key, await this.#taskCommit(request, path, tip)))
    await this.#land(sha, extraRefs(plan, request, sha))
    await this.#giveBack(spec.id, null)
    return { ok: true, sha, branch: workingBranch(plan).slice('refs/heads/'.length), artifacts: [path] }
  }

  async #taskCommit(request: CommitTask, path: string, tip: string): Promise<NewCommit> {
    const { spec, draft } = request
    const review = Buffer.from(reviewArtifact(request))
    const { tree, objects } = await this.#parts.quarantine.trees.planned(draft.tree, fromText(path), review)
    return {
      tree,
      unwritten: objects,
      parents: [tip],
      message: commitMessage({ spec, changed: draft.changed, reviewPath: path }),
      author: this.#author(),
      atMs: this.#parts.clock.now(),
    }
  }

  /** The commit that was made before, if it landed or still can; one that something else overtook is forgotten. */
  async #madeFor(ref: string, tip: string): Promise<string | null> {
    const { quarantine } = this.#parts
    const made = await quarantine.refValue(ref)
    if (made === null || made === tip) return made
    if ((await quarantine.refValue(`${made}^1`)) === tip || (await quarantine.isAncestor(made, tip)))
      return made
    await quarantine.deleteRef(ref, made)
    return null
  }

  /** Moves the plan's branch to a commit on top of it, here and for the user. Asked again it does what is left. */
  async #land(sha: string, extra: readonly RefUpdate[]): Promise<void> {
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

  /** Whether a commit is one of those that landed after one and up to another; nobody else makes such commits. */
  async #landedBetween(commit: string, after: string, upTo: string): Promise<boolean> {
    const { git, place } = this.#parts.quarantine
    const landed = await git.line({ args: ['rev-list', '--first-parent', upTo, `^${after}`], at: place })
    return landed.split('\n').includes(commit)
  }

  async prepareRelease(
    request: PrepareRelease,
  ): Promise<{ readonly sha: string; readonly manifest: string }> {
    const { quarantine, plan, releaseFolder } = this.#parts
    const path = `${releaseFolder}/${plan}-release.yaml`
    const tip = await this.tip()
    const known = await this.#madeFor(this.#ref('release'), tip)
    if (known === null && (await quarantine.treeOf(tip)) !== request.tree) {
      throw new Error('something landed since the release gate passed')
    }
    const sha = known ?? (await this.#manifestCommit(request, path, tip))
    await this.#land(sha, [])
    return { sha, manifest: path }
  }

  async #manifestCommit(request: PrepareRelease, path: string, tip: string): Promise<string> {
    const { quarantine, plan, releaseFolder, user } = this.#parts
    const notesPath = `${releaseFolder}/${plan}-notes.md`
    const { manifest, notes } = releaseFiles(request, notesPath)
    const files = [{ path, content: manifestText(withoutPlaces(manifest, user.root)) }, ...notes]
    const commit = await commitTree(quarantine, {
      tree: await withFiles(quarantine, request.tree, files),
      parents: [tip],
      message: `docs(release): manifest of ${plan}\n`,
      author: this.#author(),
      atMs: request.manifest.completed_at,
    })
    return quarantine.setRef(this.#ref('release'), commit, null)
  }

  #author(): Identity {
    return this.#parts.user.identity ?? BOSUN
  }

  #ref(name: string): string {
    return `refs/plans/${this.#parts.plan}/${name}`
  }

  /** The commit a worker started from, once its work was collected. */
  #startOf(worker: string): Promise<string | null> {
    return this.#parts.quarantine.refValue(`${collectedRef(worker)}^1`)
  }

  /** What changed, and a name for exactly that: a file that somebody else changed as well makes it another change. */
  async #difference(from: string, to: string): Promise<{ changed: readonly string[]; patch: string }> {
    const differences = await this.#parts.quarantine.trees.differences(from, to)
    const patch = createHash('sha256')
    for (const one of differences) patch.update(rawLine(one), 'latin1')
    return { changed: differences.map(({ path }) => pathText(path)), patch: patch.digest('hex') }
  }
}

const collectedRef = (worker: string): string => `refs/collected/${worker}`

/** A critical task leaves a tag; one that also migrates or changes infrastructure has a branch of its own. */
function extraRefs(plan: string, request: CommitTask, sha: string): RefUpdate[] {
  const { spec, tier, tag, draft } = request
  const task = taskName(spec.id)
  const isWide = /(^|\/)(migrations?|infra|terraform|k8s|deploy)\/|(^|\/)Dockerfile$/
  const isHeld = tier === 'critical' && draft.changed.some((path) => isWide.test(path))
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
      return `git is at work in the repository: ${done.detail.trim()}`
    case 'moved':
      return ours === null
        ? `${name} is there already, at ${done.found.slice(0, 12)}, and Bosun did not make it; rename it`
        : `${name} was moved by somebody else to ${done.found.slice(0, 12)}; put it back to ${ours}`
    case 'deleted':
      return `${name} was deleted by somebody else; restore it: git branch ${name} ${ours}`
    case 'checked_out':
      return `${name} is checked out in ${done.where}; switch to another branch there`
    case 'not_fast_forward':
      return `${name} cannot be fast-forwarded`
    case 'in_the_way':
      return `the ref ${name} is in the way; rename it`
  }
}
