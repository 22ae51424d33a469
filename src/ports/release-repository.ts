import type { Rerun } from '../core/delivery/release/compare-rerun.ts'
import type { CommitFacts } from '../core/delivery/release/verify-release.ts'
import type { Environment } from '../core/planning/plan.ts'

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
