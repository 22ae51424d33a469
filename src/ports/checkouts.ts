import type { Change } from '../core/gates/change.ts'

/** The purpose of a checkout: the work, its base, the baseline, or the release. */
export type CheckoutPurpose = 'gates' | 'base' | 'baseline' | 'release' | 'milestone'

export interface Checkout {
  /** An absolute path. */
  readonly path: string
  /** Idempotent. Deletes everything the gates left in the folder. */
  release(): Promise<void>
}

/**
 * Clean checkouts for gates.
 * - `checkout` returns a folder with exactly this tree, for exclusive use until it is released.
 * - No worker can write to it, and it shares no dependency folder with one.
 * - An unknown tree rejects.
 */
export interface Checkouts {
  checkout(tree: string, purpose: CheckoutPurpose): Promise<Checkout>
}

export interface LandedCommit {
  readonly sha: string
  readonly tree: string
}

/**
 * Reads changes.
 * - `changeOf` compares a draft's tree with the tree its worker started from; it is idempotent.
 * - `history` begins with the start commit and ends with the tip.
 * - `changeSince` compares a tree with a commit's: everything a plan changed.
 * - `tipTree` is the tree at the tip of the plan's working branch; `provenTree` the same without the plan's review
 *   artifacts, on which a release is proven.
 */
export interface Changes {
  changeOf(draft: { readonly task: string; readonly attempt: number; readonly tree: string }): Promise<Change>
  changeSince(commit: string, tree: string): Promise<Change>
  tipTree(): Promise<string>
  provenTree(): Promise<string>
  /** The start commit, then every commit of the plan's branch in landing order. */
  history(): Promise<readonly LandedCommit[]>
}

/** A diff for people. */
export interface Patch {
  /** Git's output; whole lines only. */
  readonly text: string
  /** Whether it was cut. */
  readonly isCut: boolean
  /** The command that shows all of it. */
  readonly command: string
}

/** A file that work changes. */
export interface DiffFile {
  readonly path: string
  /** Its former path, where it was renamed. */
  readonly from: string | null
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly added: number
  readonly removed: number
  readonly isBinary: boolean
}

export interface WorkDiff {
  /** Commits or trees. */
  readonly base: string
  readonly head: string
  readonly files: readonly DiffFile[]
  /** In git's unified form; whole lines only. */
  readonly patch: string
  /** Whether patch or files were cut, or files were too large to be read. */
  readonly isCut: boolean
  /** The command that shows all of it; null where none does. */
  readonly command: string | null
}

/**
 * Differences in one repository, also of plans that have ended.
 * - Each answers null where there is nothing to compare.
 * - `ofDraft` compares a draft with what it was collected on.
 * - `ofWorker` reads what a running worker has written so far, without changing anything in its folder or its index; of
 *   one that has ended, what was collected. `base` is what it started from: with an earlier draft or without.
 */
export interface WorkDiffs {
  ofCommit(sha: string, mostBytes: number): Promise<WorkDiff | null>
  ofDraft(
    draft: { readonly plan: string; readonly worker: string; readonly tree: string },
    mostBytes: number,
  ): Promise<WorkDiff | null>
  ofWorker(
    asked: { readonly worker: string; readonly base: 'commit' | 'draft' },
    mostBytes: number,
  ): Promise<WorkDiff | null>
}
