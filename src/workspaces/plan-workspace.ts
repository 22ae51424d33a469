/**
 * Where one plan is worked on: workers' clones, the branch that proven work lands on, and what the user
 * sees of it. All it has to remember is refs in the quarantine, so it may be made anew at any time.
 */
import { join } from 'node:path'
import type {
  CollectWork,
  CommitTask,
  PrepareRelease,
  StartWorker,
  StopWorker,
} from '../core/decide/effects.ts'
import { commitMessage, reviewArtifact, reviewPath } from '../core/delivery/review-artifact.ts'
import { taskName, workerId } from '../core/planning/ids.ts'
import type { Parser } from '../ports/parser.ts'
import {
  NeedsPerson,
  WorkspaceNotReady,
  type Collected,
  type Committed,
  type Workspace,
} from '../ports/workspace.ts'
import { pathText } from './git/byte-path.ts'
import type { Clone, ClonePool } from './clones/clone-pool.ts'
import { commitOnce, commitRef, rebaseTree, withFiles, ProvenTip, type Merged } from './landing/commits.ts'
import { provision, type Provisioning, type Given } from './clones/provision.ts'
import { BOSUN, type Identity } from './git/git.ts'
import { extraRefs, Landing, type LandingParts } from './landing/landing.ts'
import { SerialQueue } from '../lib/serial-queue.ts'
import { workingBranch } from './landing/publish.ts'
import { manifestText, releaseFiles, withoutPlaces } from './landing/release-repository.ts'
import { salvageRef } from './saved-work/salvage.ts'
import { collect, collectedRef, saveWork } from './saved-work/work-snapshot.ts'
import { scanBetween } from './survey/tree-change.ts'
import { lineCount } from './git/tree-diff.ts'
import { changeId, commitTree, type NewCommit } from './git/trees.ts'
import { refusedWords } from './survey/survey.ts'

export interface PlanWorkspaceParts extends LandingParts {
  readonly clones: ClonePool
  readonly provisioning: Provisioning
  readonly parser: Parser
  readonly reviewFolder: string
  readonly releaseFolder: string
}

/** What work is put on: a tip, and the tree that it is proven on, which may be work that is to land first. */
interface Ground {
  readonly tip: string
  readonly tree: string
}

/** What follows the task in the id of one of its workers, reviewers or specialists. */
const OF_TASK = /^\d+(-review-\d+|-r\d+-help)?$/

/** What a worker wrote on `base`, and what it is put on. */
interface Work {
  readonly tree: string
  readonly base: string
  readonly ground: Ground
  readonly salvage: string
}

/** A worker's folder, and what it is to know of what else lies in it. */
export interface Prepared {
  readonly path: string
  /** The folder in it for what the worker hands to Bosun. */
  readonly outbox: string
  readonly notes: readonly string[]
}

export class PlanWorkspace implements Workspace {
  readonly #parts: PlanWorkspaceParts
  readonly #turns = new SerialQueue()
  readonly #landing: Landing
  readonly #proven: ProvenTip

  constructor(parts: PlanWorkspaceParts) {
    this.#parts = parts
    this.#landing = new Landing(parts)
    this.#proven = new ProvenTip(parts.quarantine, () => this.base())
  }

  /** The user's commit that the plan started from. */
  start(): Promise<string> {
    return this.#landing.start()
  }

  /** What work begins on: that commit, and the approved spec in a commit of its own. */
  base(): Promise<string> {
    return this.#landing.base()
  }

  tip(): Promise<string> {
    return this.#landing.tip()
  }

  /** What has landed without the plan's review artifacts: what proof is about. */
  async provenTree(): Promise<string> {
    return this.#proven.tree(await this.tip())
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
      throw new WorkspaceNotReady(`cannot prepare its workspace: ${reason}`, { cause: error })
    }
  }

  async #prepare(job: StartWorker, given: Given): Promise<Prepared> {
    const { clones, provisioning } = this.#parts
    await this.#giveBack(job.spec.id, job.worker)
    const commit = await this.tip()
    const tree = job.context.draft === null ? null : await this.#draftOnto(job, commit)
    const start = { commit, tree }
    const clone = await clones.acquire(
      job.worker,
      start,
      (room) => provision(provisioning, room, { ...given, choices: job.atStart?.choices ?? [] }),
      job.session?.worker ?? null,
    )
    return { path: clone.path, outbox: join(clone.path, clone.outbox), notes: clone.placed.record.notes }
  }

  /** A copy of what another worker has written so far, for one of which nothing is collected. */
  async prepareCopy(worker: string, of: string): Promise<Prepared> {
    const { clones, clock, quarantine } = this.#parts
    const original = await clones.find(of)
    const saved = original === null ? null : await saveWork(original, clock.now())
    const commit = original?.start.commit ?? (await this.tip())
    const tree = saved === null ? null : await quarantine.treeOf(saved.commit)
    const clone = await clones.acquire(worker, { commit, tree })
    return { path: clone.path, outbox: join(clone.path, clone.outbox), notes: [] }
  }

  /** Takes the folder of such a worker back. */
  async giveBackCopy(worker: string): Promise<void> {
    await this.#parts.clones.release(worker, this.#parts.clock.now())
  }

  /** Releases the folders of a task's earlier workers: reviewers, and workers whose work cannot land. */
  async #giveBack(task: string, except: string | null): Promise<void> {
    const { clones, clock, plan } = this.#parts
    const prefix = workerId(plan, task, 1).slice(0, -1)
    for (const worker of await clones.workers()) {
      const isOwn = worker.startsWith(prefix) && OF_TASK.test(worker.slice(prefix.length))
      if (worker !== except && isOwn) await clones.release(worker, clock.now())
    }
  }

  async #draftOnto(job: StartWorker, onto: string): Promise<string | null> {
    const { quarantine } = this.#parts
    const { draft } = job.context
    if (draft === null || draft.tree === '') return null
    const base = await this.#startOf(draft.worker)
    if (base === null || job.role === 'reviewer') return this.#proven.withArtifacts(draft.tree, onto)
    // As it was written: the tree that is proven lacks artifacts, which this worker would seem to have deleted.
    const tree = await quarantine.treeOf(collectedRef(draft.worker))
    const merged = await rebaseTree(quarantine, { tree, base, onto })
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
    const { worker, onto } = request
    const tip = await this.tip()
    const ground = { tip, tree: onto?.tree ?? (await this.#proven.tree(tip)) }
    const clone = await clones.find(worker)
    if (clone !== null) return this.#collectFrom(clone, ground)
    // Its folder was given back already, or it never had one: what was collected of it is kept.
    const base = await this.#startOf(request.worker)
    const { quarantine } = this.#parts
    const kept = base === null ? null : await quarantine.treeOf(collectedRef(request.worker))
    if (base === null || kept === null) {
      const nothing = { tree: ground.tree, onto: ground.tree, changed: [], salvage: '' }
      const [lost] = clones.damaged()
      return lost === undefined
        ? nothing
        : { ...nothing, refused: `its workspace is lost: what Bosun noted about ${lost} is damaged` }
    }
    return this.#onto(request.worker, { tree: kept, base, ground, salvage: salvageRef(request.worker) })
  }

  async #collectFrom(clone: Clone, ground: Ground): Promise<Collected> {
    const { clones, clock } = this.#parts
    const taken = await collect(clone, { atMs: clock.now() })
    const salvage = salvageRef(clone.worker)
    if (!taken.ok) {
      const refused =
        taken.why === 'missing'
          ? 'its workspace is gone'
          : taken.refused.map(({ path, reason }) => `${path}: ${refusedWords(reason)}`).join('; ')
      return { tree: ground.tree, onto: ground.tree, changed: [], salvage, refused }
    }
    const work = { tree: taken.tree, base: clone.start.commit, ground, salvage }
    const collected = await this.#onto(clone.worker, work)
    const justSaved = taken.isNew ? { commit: taken.salvage, unsaved: taken.unsaved } : null
    await clones.release(clone.worker, clock.now(), justSaved)
    return collected
  }

  /** The work on its ground; which one is remembered, since only there it is proven. */
  async #onto(worker: string, work: Work): Promise<Collected> {
    const { quarantine } = this.#parts
    const { ground, salvage } = work
    const merged = await this.#merged(work)
    if (!merged.ok) {
      const what = merged.why === 'conflict' ? merged.paths.join(', ') : 'everything'
      const refused = `it conflicts with work that landed meanwhile in ${what}`
      const { changed } = await this.#difference(work.base, work.tree)
      return { tree: work.tree, onto: ground.tree, changed, salvage, refused, conflicts: true }
    }
    const ref = this.#ref(`onto/${worker}`)
    await quarantine.setRef(ref, ground.tree, await quarantine.refValue(ref))
    const difference = await this.#difference(ground.tree, merged.tree)
    const files = difference.changed.length
    const scan = await scanBetween(this.#parts, { base: ground.tree, tree: merged.tree, files })
    return { tree: merged.tree, onto: ground.tree, salvage, ...difference, scan }
  }

  async #merged({ tree, base, ground: { tip, tree: onto } }: Work): Promise<Merged> {
    const { quarantine } = this.#parts
    // Mostly nothing landed since the work was begun.
    if (base === tip && onto === (await this.#proven.tree(tip)))
      return { ok: true, tree: await this.#proven.withoutArtifacts(tree, tip) }
    const commit = await commitTree(quarantine, {
      tree: onto,
      parents: [tip],
      message: 'What is to land first\n',
      author: BOSUN,
      atMs: 0,
    })
    return rebaseTree(quarantine, { tree, base, onto: commit })
  }

  /** One after the other: each stands on the one before. */
  commit(request: CommitTask): Promise<Committed> {
    return this.#turns.run(() => this.#commit(request))
  }

  async #commit(request: CommitTask): Promise<Committed> {
    const { quarantine, plan, reviewFolder } = this.#parts
    const { spec, attempt, draft } = request
    const key = { plan, task: taskName(spec.id), attempt }
    const path = reviewPath(reviewFolder, plan, spec.id)
    const tip = await this.tip()
    const before = await this.#landing.madeFor(commitRef(key), tip)
    if (before === null) {
      const onto = await quarantine.refValue(this.#ref(`onto/${draft.worker}`))
      if (onto === null || onto !== (await this.#proven.tree(tip)))
        return { ok: false, moved: true, reason: 'something landed since it was proven' }
    }
    const sha = before ?? (await commitOnce(quarantine, key, await this.#taskCommit(request, path, tip)))
    this.#proven.learn(sha, draft.tree)
    await this.#landing.land(sha, extraRefs(plan, request, sha))
    await this.#giveBack(spec.id, null)
    return { ok: true, sha, branch: workingBranch(plan).slice('refs/heads/'.length), artifacts: [path] }
  }

  async #taskCommit(request: CommitTask, path: string, tip: string): Promise<NewCommit> {
    const { spec, draft } = request
    const review = { path, content: reviewArtifact(request) }
    return {
      tree: await this.#proven.withArtifacts(draft.tree, tip, [review]),
      parents: [tip],
      message: commitMessage({ spec, changed: draft.changed, reviewPath: path }),
      author: this.#author(),
      atMs: this.#parts.clock.now(),
    }
  }

  async prepareRelease(
    request: PrepareRelease,
  ): Promise<{ readonly sha: string; readonly manifest: string }> {
    const { quarantine, plan, releaseFolder } = this.#parts
    const path = `${releaseFolder}/${plan}-release.yaml`
    const tip = await this.tip()
    const known = await this.#landing.madeFor(this.#ref('release'), tip)
    if (
      known === null &&
      ![await this.#proven.tree(tip), await quarantine.treeOf(tip)].includes(request.tree)
    ) {
      throw new Error('something landed since the release gate passed')
    }
    const sha = known ?? (await this.#manifestCommit(request, path, tip))
    await this.#landing.land(sha, [])
    return { sha, manifest: path }
  }

  async #manifestCommit(request: PrepareRelease, path: string, tip: string): Promise<string> {
    const { quarantine, plan, releaseFolder, user } = this.#parts
    const notesPath = `${releaseFolder}/${plan}-notes.md`
    const { manifest, notes } = releaseFiles(request, notesPath)
    const files = [{ path, content: manifestText(withoutPlaces(manifest, user.root)) }, ...notes]
    const commit = await commitTree(quarantine, {
      tree: await withFiles(quarantine, await quarantine.treeOf(tip), files),
      parents: [tip],
      message: `docs(release): manifest of ${plan}\n`,
      author: this.#author(),
      atMs: Date.parse(request.manifest.completed_at),
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

  /** The changed files, and an id of the change; it differs if other work changed one of these files too. */
  async #difference(from: string, to: string): Promise<{ changed: readonly string[]; patch: string }> {
    const differences = await this.#parts.quarantine.trees.differences(from, to)
    return { changed: differences.map(({ path }) => pathText(path)), patch: changeId(differences) }
  }
}
