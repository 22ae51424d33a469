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
