import type { Audit, Branches, StartFacts } from '../core/event-schemas/baseline.ts'
import type { Scan } from '../core/event-schemas/schemas.ts'
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
  /** Identifies the change: the same files, from the same bytes to the same bytes. */
  readonly patch?: string | undefined
  /** Why it may not land, regardless of the gates. */
  readonly refused?: string | undefined
  /** Refused because it conflicts with its new base. */
  readonly conflicts?: boolean | undefined
  /** What the rules found in its lines. */
  readonly scan?: Scan | undefined
}

/** A problem that only a person can fix: a retry before that is useless. */
export class NeedsPerson extends Error {
  override readonly name = 'NeedsPerson'
}

/** A worker's workspace could not be prepared: not the worker's fault, and retried later. */
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
  /** It conflicts with what landed first; `moved`: it may fit, but was not proven on it. */
  | { readonly ok: false; readonly reason: string; readonly moved?: boolean | undefined }

/** Looks at the start commit, once a plan. It ends soon after the signal, with everything it started. */
export type BaselineTaker = (request: TakeBaseline, signal: AbortSignal) => Promise<Baseline>

/**
 * Where workers work and where proven work lands.
 * - `collect` returns the tree of everything the worker wrote, on top of the landed work, saved under `salvage` first;
 *   a second call returns the same, unless something landed.
 * - `save` keeps what a worker wrote so far, before it is stopped; a worker's work is never lost.
 * - `commit` lands a task's attempt once: a second call returns the same sha.
 * - `prepareRelease` writes the manifest once: a second call returns the same sha.
 * - Both reject with NeedsPerson where the branch was moved so that Bosun cannot continue on it.
 */
export interface Workspace {
  save(request: StopWorker): Promise<void>
  collect(request: CollectWork): Promise<Collected>
  commit(request: CommitTask): Promise<Committed>
  prepareRelease(request: PrepareRelease): Promise<{ readonly sha: string; readonly manifest: string }>
}

/** How far the base branch has moved, and whether the plan's work would conflict with it. */
export interface BaseForecast {
  /** Its short name. */
  readonly branch: string
  readonly kind: 'unmoved' | 'clean' | 'conflicts' | 'base_gone' | 'unrelated'
  /** New commits since the start. */
  readonly behind: number
  /** Files that would conflict. */
  readonly conflicts: readonly string[]
}
