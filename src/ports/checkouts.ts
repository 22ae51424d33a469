import type { Change } from '../core/gates/change.ts'
import type { Rerun } from '../core/delivery/release/compare-rerun.ts'
import type { CommitFacts } from '../core/delivery/release/verify-release.ts'
import type { Environment } from '../core/planning/plan.ts'

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
  between(base: string, head: string, mostBytes: number): Promise<WorkDiff | null>
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

export interface FoundRelease {
  /** The tip of the working branch; null where it is gone and the release was found in the checked-out commit. */
  readonly workingTip: string | null
  /** The last commit that wrote the manifest. */
  readonly commit: CommitFacts
  /** The manifest, once its bytes are verified. */
  readonly read:
    | { readonly ok: true; readonly manifest: unknown }
    | { readonly ok: false; readonly why: string }
  readonly inWorkTree: 'same' | 'different' | 'absent'
  /** A shallow clone: commits may be missing. */
  readonly isCutShort: boolean
}

export interface Artifacts {
  /** The commit's own; null where it has none. */
  readonly own: string | null
  /** Of all tasks of the plan. */
  readonly all: readonly string[]
  /** The commit the plan started from; null where that is not known. */
  readonly start: string | null
}

export interface RerunClaim {
  readonly claim: string
  readonly command: string
  /** Names of values that it prints. */
  readonly values?: readonly string[] | undefined
}

export interface RerunRequest {
  readonly tree: string
  /** A commit with that tree, or one above it: HEAD of the checkout. */
  readonly head: string
  readonly evidence: readonly RerunClaim[]
  /** From bosun.yaml and the plan; the rest is detected in the tree. */
  readonly environment: Partial<Environment>
  /** Called as each command starts: a set-up may take minutes. */
  readonly onStart?: ((command: string) => void) | undefined
}

/**
 * Read-only access to a repository, to verify a release.
 * - `find` is null where neither the plan's working branch nor the checked-out commit has such a file.
 * - `commit` is null for an unknown commit; `text` for a path that is not a file in that commit, or is huge.
 * - `treesWithout` returns the trees that may have been proven for a commit: its own without its review artifact, or
 *   without all that the plan wrote by then. `start` is the start commit, which may already contain such files.
 * - `rerun` runs commands in a clean checkout; how each ended is a value. It ends soon after the signal, with everything
 *   it started.
 * - `close` removes temporary files.
 */
export interface ReleaseRepository {
  find(plan: string, path: string): Promise<FoundRelease | null>
  commit(sha: string): Promise<CommitFacts | null>
  text(commit: string, path: string): Promise<string | null>
  changed(from: string, to: string): Promise<readonly string[]>
  treesWithout(commit: CommitFacts, artifacts: Artifacts): Promise<readonly string[]>
  rerun(request: RerunRequest, signal: AbortSignal): Promise<readonly Rerun[]>
  close(): Promise<void>
}
