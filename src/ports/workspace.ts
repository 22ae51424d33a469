import type { Scan } from '../core/state/draft.ts'
import type { Audit, Branches, StartFacts } from '../core/event-schemas/baseline.ts'
import type {
  CollectWork,
  CommitTask,
  PrepareRelease,
  StopWorker,
  TakeBaseline,
} from '../core/decide/effects.ts'

export interface Baseline {
  readonly sha: string
  readonly contextBlock: string
  readonly failing: readonly string[]
  readonly start: StartFacts | null
  readonly audits: readonly Audit[]
  readonly branches: Branches
}

export interface Collected {
  readonly tree: string
  /** The tree it was put on, without review artifacts of the plan: only there it can be proven, and land. */
  readonly onto: string
  readonly changed: readonly string[]
  readonly salvage: string
  /** Names the change against what has landed: the same where the same files go from the same bytes to the same bytes. */
  readonly patch?: string | undefined
  /** Why it may not land, whatever the gates would say. */
  readonly refused?: string | undefined
  /** It is refused because it conflicts with what it was to be put on. */
  readonly conflicts?: boolean | undefined
  /** What the rules read in its lines. */
  readonly scan?: Scan | undefined
}

/** What only a person can put right: trying again is of no use before. */
export class NeedsPerson extends Error {
  override readonly name = 'NeedsPerson'
}

/** A worker's workspace could not be made ready: no fault of the worker's, and worth another try later. */
export class WorkspaceNotReady extends Error {
  override readonly name = 'WorkspaceNotReady'
}

export type Committed =
  | {
      readonly ok: true
      readonly sha: string
      readonly branch: string
      readonly artifacts: readonly string[]
    }
  /** It does not go on top of what landed meanwhile; `moved`: it may, but was not proven so. */
  | { readonly ok: false; readonly reason: string; readonly moved?: boolean | undefined }

/**
 * Where workers work and where proven work lands.
 * - `takeBaseline` ends soon after the signal, and nothing that it started goes on then.
 * - `collect` answers with the tree of everything the worker wrote, on top of what has landed by then, saved under `salvage`
 *   first; asked again it answers the same, unless something landed.
 * - `save` keeps what a worker wrote so far, before it is stopped; nothing a worker wrote is ever lost.
 * - `commit` lands a task's attempt once: asked again it answers with the same sha.
 * - `prepareRelease` writes the manifest once: asked again it answers with the same sha.
 * - Both reject with NeedsPerson where somebody has put the branch where it cannot be gone on with.
 */
export interface Workspace {
  takeBaseline(request: TakeBaseline, signal: AbortSignal): Promise<Baseline>
  save(request: StopWorker): Promise<void>
  collect(request: CollectWork): Promise<Collected>
  commit(request: CommitTask): Promise<Committed>
  prepareRelease(request: PrepareRelease): Promise<{ readonly sha: string; readonly manifest: string }>
}
