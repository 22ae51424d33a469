import type { Change } from '../core/gates/change.ts'

/** Why somebody wants a checkout: the work, what it started from, the first look, or what would be released. */
export type CheckoutPurpose = 'gates' | 'base' | 'baseline' | 'release' | 'milestone'

export interface Checkout {
  /** An absolute path. */
  readonly path: string
  /** Idempotent. Whatever the gates left in the folder goes with it. */
  release(): Promise<void>
}

/**
 * Clean checkouts for gates.
 * - `checkout` gives a folder that holds exactly this tree; nobody else has it until it is released.
 * - No worker can write to it, and it shares no dependency folder with one.
 * - A tree that is not there rejects.
 */
export interface Checkouts {
  checkout(tree: string, purpose: CheckoutPurpose): Promise<Checkout>
}

export interface LandedCommit {
  readonly sha: string
  readonly tree: string
}

/**
 * What work changes.
 * - `changeOf` compares a draft's tree with the tree its worker started from; asked again it answers the same.
 * - `history` begins with what the plan started from and ends with the tip.
 * - `changeSince` compares a tree with a commit's: all that a plan did, whoever of its workers did it.
 * - `tipTree` is the tree at the tip of the plan's working branch; `provenTree` the same without the plan's review
 *   artifacts: what a release is proven on.
 */
export interface Changes {
  changeOf(draft: { readonly task: string; readonly attempt: number; readonly tree: string }): Promise<Change>
  changeSince(commit: string, tree: string): Promise<Change>
  tipTree(): Promise<string>
  provenTree(): Promise<string>
  /** What the plan started from, then every commit of its branch in the order they landed. */
  history(): Promise<readonly LandedCommit[]>
}

/** What a change looks like, for people. */
export interface Patch {
  /** As git prints it; whole lines only. */
  readonly text: string
  /** Whether there is more than that. */
  readonly isCut: boolean
  /** Shows all of it. */
  readonly command: string
}
