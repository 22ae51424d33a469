import type { Rerun } from '../core/delivery/release/compare-rerun.ts'
import type { CommitFacts } from '../core/delivery/release/verify-release.ts'
import type { Environment } from '../core/planning/plan.ts'

export interface FoundRelease {
  /** Where the working branch stands; null where it is gone and the release was found in what is checked out. */
  readonly workingTip: string | null
  /** The last commit that wrote the manifest. */
  readonly commit: CommitFacts
  /** The manifest, once its bytes have proven to be those that were written. */
  readonly read:
    | { readonly ok: true; readonly manifest: unknown }
    | { readonly ok: false; readonly why: string }
  readonly inWorkTree: 'same' | 'different' | 'absent'
  /** A shallow clone: commits may be missing that the branch does have elsewhere. */
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
  /** A commit with that tree, or one above it: where git stands in the checkout. */
  readonly head: string
  readonly evidence: readonly RerunClaim[]
  /** What bosun.yaml and the plan say; what they leave open is found in the tree. */
  readonly environment: Partial<Environment>
}

/**
 * A repository as whoever checks a release looks at it. Nothing in it is changed.
 * - `find` is null where neither the plan's working branch nor what is checked out holds such a file.
 * - `commit` is null for what is no commit, or not there; `text` for what is no file in that commit, or is huge.
 * - `treesWithout` answers the trees that may have been proven for a commit: its own without its review artifact, or
 *   without all that the plan wrote by then. `start` is what the plan started from, where files may have been before.
 * - `rerun` runs commands in a clean checkout; how each ended is a value. It ends soon after the signal, and nothing that
 *   it started goes on then.
 * - `close` removes what looking took.
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
