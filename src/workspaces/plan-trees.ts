/** What gates need of a plan's work: clean checkouts, and what a draft changes. */
import type { Change } from '../core/gates/change.ts'
import { compareText, workerId } from '../core/planning/ids.ts'
import { isOutside } from '../core/languages/paths.ts'
import type { LandedChange } from '../core/review/task-delta.ts'
import type { Changes, Checkout, CheckoutPurpose, Checkouts, LandedCommit } from '../ports/checkouts.ts'
import type { CheckoutSlots } from './clones/slots.ts'
import { pathText } from './git/byte-path.ts'
import { GITLINK, listTree } from './git/trees.ts'
import { textInTree } from './git/tree-diff.ts'
import type { PlanWorkspace } from './plan-workspace.ts'
import type { Quarantine } from './quarantine.ts'
import { changeBetween, MOST_BYTES } from './survey/tree-change.ts'

/** Of as many commits a worker is shown what they changed. */
const MOST_CHANGES = 5

/** The files of all that has landed. */
export interface LandedFiles {
  readonly tree: string
  /** Sorted. */
  readonly files: readonly string[]
  /** Those that differ from what was known before. */
  readonly changed: ReadonlySet<string>
}

interface Parts {
  readonly quarantine: Quarantine
  readonly slots: CheckoutSlots
  readonly workspace: PlanWorkspace
  readonly plan: string
}

export class PlanTrees implements Checkouts, Changes {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async checkout(tree: string, _purpose: CheckoutPurpose): Promise<Checkout> {
    return this.#parts.slots.checkout(tree, await this.#parts.workspace.tip())
  }

  /** Against what had landed when the draft was collected: what others did meanwhile is not its doing. */
  async changeOf(draft: Parameters<Changes['changeOf']>[0]): Promise<Change> {
    const worker = workerId(this.#parts.plan, draft.task, draft.attempt)
    return this.changeSince(await this.#ground(worker), draft.tree)
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
    return textInTree(this.#parts.quarantine, { tree, path, maxBytes: MOST_BYTES })
  }

  /** Every file of all that has landed. Of what is known, only the difference is looked at. */
  async landedFiles(known: LandedFiles | null): Promise<LandedFiles> {
    const { git, place, trees } = this.#parts.quarantine
    const tree = await this.tipTree()
    if (known?.tree === tree) return { ...known, changed: new Set() }
    const differences =
      known === null
        ? (await listTree(git, tree, { at: place })).map((leaf) => ({ path: leaf.path, after: leaf }))
        : await trees.differences(known.tree, tree)
    const [files, changed] = [new Set(known?.files), new Set<string>()]
    for (const { path, after } of differences) {
      const text = pathText(path)
      changed.add(text)
      if (after === null || after.mode === GITLINK) files.delete(text)
      else files.add(text)
    }
    return { tree, files: [...files].toSorted(compareText), changed }
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
    const changes: LandedChange[] = []
    for (const line of await quarantine.lines('log', '--no-walk', '--format=%H %P\t%s', ...named)) {
      const [names = '', subject = ''] = line.split('\t')
      const [sha = '', parent] = names.split(' ')
      if (parent === undefined || parent === '') continue
      const change = await this.changeSince(parent, await quarantine.treeOf(sha))
      changes.push({ sha, subject, change })
    }
    return changes
  }

  provenTree(): Promise<string> {
    return this.#parts.workspace.provenTree()
  }

  async history(): Promise<readonly LandedCommit[]> {
    const { quarantine, workspace } = this.#parts
    const [base, tip] = [await workspace.base(), await workspace.tip()]
    const order = ['--topo-order', '--reverse', '--format=%H %T']
    const landed = (await quarantine.lines('log', ...order, `${base}..${tip}`)).map((line) => {
      const [sha = '', tree = ''] = line.split(' ')
      return { sha, tree }
    })
    return [{ sha: base, tree: await quarantine.treeOf(base) }, ...landed]
  }
}
