/** A workspace without files: it records workers' work by name, and lands it once. */
import type {
  CollectWork,
  CommitTask,
  PrepareRelease,
  StopWorker,
  TakeBaseline,
} from '../core/decide/effects.ts'
import { NO_BRANCHES, type Audit } from '../core/event-schemas/baseline.ts'
import type { Clock } from '../ports/clock.ts'
import type { Baseline, Collected, Committed, Workspace } from '../ports/workspace.ts'
import { sleep } from './sleep.ts'

export interface WorkspaceScript {
  readonly delayMs: (what: string) => number
  readonly writtenBy: (worker: string) => { readonly changed: readonly string[] } | null
  /** How many lines its change has; absent where that is not counted. */
  readonly linesBy?: (worker: string) => number
  /** Tasks whose work already exists. */
  readonly existing: (task: string) => boolean
  /** Why this commit conflicts, or null. */
  readonly conflict: (request: CommitTask) => string | null
  /** Whether something lands before this commit, and whether it leaves the files of the task alone. */
  readonly overtaken?: (request: CommitTask) => 'elsewhere' | 'nearby' | null
}

export interface Landed {
  readonly task: string
  readonly attempt: number
  readonly tree: string
  readonly sha: string
}

export class ScriptedWorkspace implements Workspace {
  readonly landed: Landed[] = []
  readonly saved = new Set<string>()
  readonly #refused = new Map<string, Committed>()
  /** The worker and the base of each collected tree. */
  readonly #made = new Map<string, { readonly worker: string; readonly onto: string }>()
  /** Workers whose work was overtaken, and whether it was recollected. */
  readonly #overtaken = new Map<string, { readonly by: 'elsewhere' | 'nearby'; isCollected: boolean }>()
  readonly #clock: Clock
  readonly #script: WorkspaceScript
  #released: { readonly sha: string; readonly manifest: string } | null = null

  constructor(clock: Clock, script: WorkspaceScript) {
    this.#clock = clock
    this.#script = script
  }

  async takeBaseline(request: TakeBaseline): Promise<Baseline> {
    await this.#pass('baseline')
    const audits = request.tasks
      .filter((task) => this.#script.existing(task.id))
      .map((task): Audit => ({ task: task.id, status: 'EXISTS', evidence: THERE, files: [], runs: [] }))
    const nothing = { failing: [], start: null, branches: NO_BRANCHES }
    return { sha: 'base', contextBlock: 'a simulated repository', audits, ...nothing }
  }

  async save(request: StopWorker): Promise<void> {
    await this.#pass('save')
    this.saved.add(request.worker)
  }

  async collect(request: CollectWork): Promise<Collected> {
    await this.#pass('collect')
    this.saved.add(request.worker)
    const changed = this.#script.writtenBy(request.worker)?.changed ?? []
    const overtaken = this.#overtaken.get(request.worker)
    if (overtaken !== undefined) overtaken.isCollected = true
    const patch = `patch-of-${request.worker}${overtaken?.by === 'nearby' ? '-on-others' : ''}`
    const onto = request.onto?.tree ?? this.landed.at(-1)?.tree ?? 'base'
    const tree = this.#put(request.worker, onto)
    const lines = this.#script.linesBy?.(request.worker)
    const scan = lines === undefined ? {} : { scan: { touches: [], findings: [], lines } }
    return { tree, onto, changed, salvage: `refs/salvage/${request.worker}`, patch, ...scan }
  }

  /** The same work on top of the same is the same tree. */
  #put(worker: string, onto: string): string {
    const known = [...this.#made].find(([, made]) => made.worker === worker && made.onto === onto)
    if (known !== undefined) return known[0]
    const before = [...this.#made.values()].filter((made) => made.worker === worker).length
    const tree = before === 0 ? `tree-of-${worker}` : `tree-of-${worker}~${before}`
    this.#made.set(tree, { worker, onto })
    return tree
  }

  /** The worker of a tree, and the workers below it that have not landed. */
  workersIn(tree: string): readonly string[] {
    const made = this.#made.get(tree)
    if (made === undefined) return []
    const isLanded = this.landed.some((done) => done.tree === made.onto)
    return [...(isLanded ? [] : this.workersIn(made.onto)), made.worker]
  }

  async commit(request: CommitTask): Promise<Committed> {
    await this.#pass('commit')
    const task = request.spec.id
    const before = this.landed.find((done) => done.task === task && done.attempt === request.attempt)
    if (before !== undefined) return committed(before)
    const key = `${task} ${request.attempt}`
    const refused = this.#refused.get(key)
    if (refused !== undefined) return refused
    const reason = this.#script.conflict(request)
    if (reason !== null) {
      const answer = { ok: false, reason } as const
      this.#refused.set(key, answer)
      return answer
    }
    if (this.#isOvertaken(request)) return { ok: false, moved: true, reason: 'something landed' }
    const { attempt, draft } = request
    const done = { task, attempt, tree: draft.tree, sha: `sha-${this.landed.length + 1}` }
    this.landed.push(done)
    return committed(done)
  }

  #isOvertaken(request: CommitTask): boolean {
    const { worker } = request.draft
    const known = this.#overtaken.get(worker)
    if (known !== undefined) return !known.isCollected
    const by = this.#script.overtaken?.(request) ?? null
    if (by !== null) this.#overtaken.set(worker, { by, isCollected: false })
    return by !== null
  }

  async prepareRelease(
    request: PrepareRelease,
  ): Promise<{ readonly sha: string; readonly manifest: string }> {
    await this.#pass('release')
    this.#released ??= { sha: `release-of-${request.tree}`, manifest: 'docs/releases/simulated-release.yaml' }
    return this.#released
  }

  #pass(what: string): Promise<void> {
    return sleep(this.#clock, this.#script.delayMs(what))
  }
}

const THERE = 'its files and tests are there'

const committed = (done: Landed): Committed => ({
  ok: true,
  sha: done.sha,
  branch: 'feat/simulated/working',
  artifacts: [],
})
