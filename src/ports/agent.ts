import type { StartWorker } from '../core/effects.ts'
import type { Report, ReviewIssue, WorkerEnd } from '../core/events/parts.ts'

/** What one worker is to do: everything it may know, and nothing else. */
export type Job = StartWorker & {
  readonly plan: string
  /** The design document, for whoever reviews against it. */
  readonly design: string | null
}

/** A reviewer's findings, parsed. */
export interface ReviewReport {
  readonly verdict: 'approved' | 'changes_requested'
  readonly summary: string
  readonly issues: readonly ReviewIssue[]
}

export interface WorkerEnded {
  readonly kind: 'ended'
  readonly worker: string
  readonly end: WorkerEnd
  readonly report: Report | null
  readonly review: ReviewReport | null
}

export type AgentEvent =
  /** A sign of life: output, a tool call, a changed file. */
  { readonly kind: 'sign'; readonly worker: string } | WorkerEnded

/** The agent cannot be had: missing, not executable, not signed in. Nothing was started. */
export class AgentUnavailable extends Error {
  override readonly name = 'AgentUnavailable'
}

/**
 * Runs workers. They outlive whoever started them.
 * - `start` resolves once the worker runs, or rejects with AgentUnavailable and nothing else.
 * - Starting a worker that was started before changes nothing and resolves, whether it runs or has ended.
 * - Every worker that was started or stopped has exactly one `ended`, and it is the last event of that worker.
 * - `unheard` answers with every `ended` that was not acknowledged, in the order they came; listeners hear what comes after.
 * - `stop` resolves once nothing of the worker runs any more; it is idempotent, and changes nothing for a worker that has ended.
 * - A worker that is stopped while it runs ends as `stopped`, with the cause it was stopped for; one that was never started
 *   ends so too, and can no longer be started.
 * - Listeners are never called synchronously from `start` or `stop`.
 */
export interface Agent {
  start(job: Job): Promise<void>
  stop(worker: string, cause: Extract<WorkerEnd, { kind: 'stopped' }>['cause']): Promise<void>
  unheard(): Promise<readonly WorkerEnded[]>
  listen(listener: (event: AgentEvent) => void): () => void
  acknowledge(worker: string): Promise<void>
}
