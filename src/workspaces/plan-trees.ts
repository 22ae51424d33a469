/** What gates need of a plan's work: clean checkouts, and what a draft changes. */
import type { Change } from '../core/gates/change.ts'
import { compareText, workerId } from '../core/planning/ids.ts'
import { isOutside } from '../core/languages/paths.ts'
import type { LandedChange } from '../core/review/task-delta.ts'
import type {
  Changes,
  Checkout,
  CheckoutPurpose,
  Checkouts,
  LandedCommit,
  Patch,
} from '../ports/checkouts.ts'
import type { CheckoutSlots } from './clones/checkout-slots.ts'
import { bytePath, pathText } from './git/byte-path.ts'
import { fields } from './git/git.ts'
import { GITLINK } from './git/gitlinks.ts'
import { patchText } from './git/patch-text.ts'
import type { PlanWorkspace } from './plan-workspace.ts'
import type { Quarantine } from './quarantine.ts'
import { changeBetween, MOST_BYTES } from './survey/tree-change.ts'
import { readTreeFile } from './git/tree-diff.ts'

/** Of as many commits a worker is shown what they changed. */
const MOST_CHANGES = 5

/** What a line of `ls-tree` begins with; that of a submodule begins with `commit`. */
const FILE = 'blob '

/** What a tree is held against: what a worker's work stands on, or a commit. */
export type Ground = { readonly worker: string } | { readonly commit: string }

/** The files of all that has landed. */
export interface LandedFiles {
  readonly tree: string
  /** Sorted. */
  readonly files: readonly string[]
  /** What has changed since they were looked at before; null the first time. */
  readonly changed: ReadonlySet<string> | null
}

interface Parts {
  readonly quarantine: Quarantine
  readonly slots: CheckoutSlots
  readonly workspace: PlanWorkspace
  readonly plan: string
}

export class PlanTrees implements Checkouts, Changes {
  readonly #parts: Parts
  #listed: LandedFiles | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async checkout(tree: string, _purpose: CheckoutPurpose): Promise<Checkout> {
    return this.#parts.slots.checkout(tree, await this.#parts.workspace.tip())
  }

  /** Against what had landed when the draft was collected: what others did meanwhile is not its doing. */
  async changeOf(draft: {
    readonly task: string
    readonly attempt: number
    readonly tree: string
  }): Promise<Change> {
    const worker = workerId(this.#parts.plan, draft.task, draft.attempt)
    return this.changeSince(await this.#ground(worker), draft.tree)
  }

  /** What a worker's tree changes, or what the plan did since a commit, as text. */
  async patchOf(asked: { readonly tree: string; readonly of: Ground }): Promise<Patch> {
    const from = 'worker' in asked.of ? await this.#ground(asked.of.worker) : asked.of.commit
    return patchText(this.#parts.quarantine, await this.#parts.quarantine.treeOf(from), asked.tree)
  }

  async #ground(worker: string): Promise<string> {
    const onto = await this.#parts.quarantine.refValue(`refs/plans/${this.#parts.plan}/onto/${worker}`)
    return onto ?? this.#parts.workspace.tip()
  }

  async changeSince(commit: string, tree: string): Promise<Change> {
    const base = await this.#parts.quarantine.treeOf(commit)
    return changeBetween(this.#parts.quarantine, base, tree)
  }

  /** A text of a tree; null where there is none that can be read. */
  async readText(tree: string, path: string): Promise<string | null> {
    if (isOutside(path)) return null
    const file = await readTreeFile(this.#parts.quarantine, { tree, path, maxBytes: MOST_BYTES })
    return file.kind === 'file' ? file.content.toString('utf8') : null
  }

  /** Every file of all that has landed. The tree is listed once; after that only what has changed is read. */
  async landedFiles(): Promise<LandedFiles> {
    const tree = await this.tipTree()
    const last = this.#listed
    if (last?.tree === tree) return last
    const listed =
      last === null
        ? { tree, files: await this.#listFiles(tree), changed: null }
        : await this.#filesSince(last, tree)
    this.#listed = listed
    return listed
  }

  async #listFiles(tree: string): Promise<readonly string[]> {
    const { git, place } = this.#parts.quarantine
    const format = '--format=%(objecttype) %(path)'
    const args = ['ls-tree', '-r', '-z', format, '--full-tree', tree]
    return fields(await git.read({ args, at: place })).flatMap((line) =>
      line.startsWith(FILE) ? [pathText(bytePath(line.slice(FILE.length)))] : [],
    )
  }

  async #filesSince(last: LandedFiles, tree: string): Promise<LandedFiles> {
    const differences = await this.#parts.quarantine.trees.differences(last.tree, tree)
    const isHere = new Map(
      differences.map(({ path, after }) => [pathText(path), after !== null && after.mode !== GITLINK]),
    )
    const kept = last.files.filter((path) => !isHere.has(path))
    const found = [...isHere].flatMap(([path, isFile]) => (isFile ? [path] : []))
    return { tree, files: [...kept, ...found].toSorted(compareText), changed: new Set(isHere.keys()) }
  }

  async tipTree(): Promise<string> {
    return this.#parts.quarantine.treeOf(await this.#parts.workspace.tip())
  }

  /** What these commits changed, and the last one that landed: the newest first. Empty before any has landed. */
  async landedChanges(commits: readonly string[]): Promise<readonly LandedChange[]> {
    const [base, tip] = [await this.#parts.workspace.base(), await this.#parts.workspace.tip()]
    if (base === tip) return []
    const { quarantine } = this.#parts
    const named = [...new Set([tip, ...commits])].slice(0, MOST_CHANGES)
    const rows = (await Promise.all(named.map((sha) => quarantine.commit(sha))))
      .toSorted((a, b) => b.committedAt - a.committedAt)
      .flatMap(({ sha, parents: [parent], subject }) =>
        parent === undefined ? [] : [{ sha, parent, subject }],
      )
    const changes: LandedChange[] = []
    for (const { sha, parent, subject } of rows)
      changes.push({
        sha,
        subject,
        change: await this.changeSince(parent, await quarantine.treeOf(sha)),
      })
    return changes
  }

  provenTree(): Promise<string> {
    return this.#parts.workspace.provenTree()
  }

  async history(): Promise<readonly LandedCommit[]> {
    const [base, tip] = [await this.#parts.workspace.base(), await this.#parts.workspace.tip()]
    const listed = await this.#parts.quarantine.git.line({
      args: ['log', '--topo-order', '--reverse', '--format=%H %T', `${base}..${tip}`],
      at: this.#parts.quarantine.place,
    })
    const landed = listed
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [sha = '', tree = ''] = line.split(' ')
        return { sha, tree }
      })
    return [{ sha: base, tree: await this.#parts.quarantine.treeOf(base) }, ...landed]
  }
}
