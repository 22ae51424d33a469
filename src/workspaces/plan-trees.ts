/** What gates need of a plan's work: clean checkouts, and what a draft changes. */
import type { Change, ChangedFile } from '../core/gates/change.ts'
import { workerId } from '../core/planning/ids.ts'
import type {
  Changes,
  Checkout,
  CheckoutPurpose,
  Checkouts,
  LandedCommit,
  Patch,
} from '../ports/checkouts.ts'
import type { CheckoutSlots } from './checkout-slots.ts'
import { patchText } from './patch-text.ts'
import type { PlanWorkspace } from './plan-workspace.ts'
import type { Quarantine } from './quarantine.ts'
import { changedFiles, readTreeFile, type ChangedFile as TreeChange } from './tree-diff.ts'

/** Larger files are told as binary: nobody reads their lines. */
const MOST_BYTES = 4 * 1024 * 1024

/** What a tree is held against: what a worker's work stands on, or a commit. */
export type Ground = { readonly worker: string } | { readonly commit: string }

export class PlanTrees implements Checkouts, Changes {
  readonly #quarantine: Quarantine
  readonly #slots: CheckoutSlots
  readonly #workspace: PlanWorkspace
  readonly #plan: string

  constructor(parts: {
    readonly quarantine: Quarantine
    readonly slots: CheckoutSlots
    readonly workspace: PlanWorkspace
    readonly plan: string
  }) {
    this.#quarantine = parts.quarantine
    this.#slots = parts.slots
    this.#workspace = parts.workspace
    this.#plan = parts.plan
  }

  async checkout(tree: string, _purpose: CheckoutPurpose): Promise<Checkout> {
    const checkout = await this.#slots.checkout(tree, await this.#workspace.tip())
    return { path: checkout.path, release: async () => checkout.release() }
  }

  /** Against what had landed when the draft was collected: what others did meanwhile is not its doing. */
  async changeOf(draft: {
    readonly task: string
    readonly attempt: number
    readonly tree: string
  }): Promise<Change> {
    const worker = workerId(this.#plan, draft.task, draft.attempt)
    return this.changeSince(await this.#ground(worker), draft.tree)
  }

  /** What a worker's tree changes, or what the plan did since a commit, as text. */
  async patchOf(asked: { readonly tree: string; readonly of: Ground }): Promise<Patch> {
    const from = 'worker' in asked.of ? await this.#ground(asked.of.worker) : asked.of.commit
    return patchText(this.#quarantine, await this.#quarantine.treeOf(from), asked.tree)
  }

  async #ground(worker: string): Promise<string> {
    const onto = await this.#quarantine.refValue(`refs/plans/${this.#plan}/onto/${worker}`)
    return onto ?? this.#workspace.tip()
  }

  async changeSince(commit: string, tree: string): Promise<Change> {
    const base = await this.#quarantine.treeOf(commit)
    const changed = await changedFiles(this.#quarantine, base, tree)
    return { base, files: await Promise.all(changed.map((file) => this.#withLines(tree, file))) }
  }

  async tipTree(): Promise<string> {
    return this.#quarantine.treeOf(await this.#workspace.tip())
  }

  async history(): Promise<readonly LandedCommit[]> {
    const [base, tip] = [await this.#workspace.base(), await this.#workspace.tip()]
    const listed = await this.#quarantine.git.line({
      args: ['log', '--topo-order', '--reverse', '--format=%H %T', `${base}..${tip}`],
      at: this.#quarantine.place,
    })
    const landed = listed
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [sha = '', tree = ''] = line.split(' ')
        return { sha, tree }
      })
    return [{ sha: base, tree: await this.#quarantine.treeOf(base) }, ...landed]
  }

  async #withLines(tree: string, { path, change, lines, gone }: TreeChange): Promise<ChangedFile> {
    const kind = change === 'type_changed' ? 'modified' : change
    const isUnread = lines === null
    if (kind === 'deleted') return { path, kind, added: [], removed: gone, lines: null, isBinary: isUnread }
    const file = await readTreeFile(this.#quarantine, { tree, path, maxBytes: MOST_BYTES })
    if (isUnread || file.kind !== 'file') {
      return { path, kind, added: [], removed: [], lines: null, isBinary: true }
    }
    const text = file.content.toString('utf8').split('\n')
    const added = lines.flatMap(({ first, last }) =>
      text.slice(first - 1, last).map((line, offset) => ({ line: first + offset, text: line })),
    )
    const whole = text.at(-1) === '' ? text.slice(0, -1) : text
    return { path, kind, added, removed: gone, lines: whole, isBinary: false }
  }
}
