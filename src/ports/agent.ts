import type { StartWorker } from '../core/decide/effects.ts'
import type { Report, WorkerEnd } from '../core/event-schemas/schemas.ts'
import type { Message } from '../core/event-schemas/watch.ts'
import type { ReviewReport } from '../core/review/judge-review.ts'

export type { ReviewReport } from '../core/review/judge-review.ts'

/** What one worker is to do: everything it may know, and nothing else. */
export type Job = StartWorker & {
  readonly plan: string
  /** The design document, for whoever reviews against it. */
  readonly design: string | null
  /** The session to go on with, where the agent can: what an earlier worker's `session` event named. */
  readonly session?: string | undefined
}

export interface WorkerEnded {
  readonly kind: 'ended'
  readonly worker: string
  readonly end: WorkerEnd
  readonly report: Report | null
  readonly review: ReviewReport | null
  /** Which agent it was, where that is known. */
  readonly agent?: string | undefined
  /** What of its report could not be taken, and why. */
  readonly notes?: readonly string[] | undefined
}

/** A sign of life, and what it was seen by. */
export interface WorkerSign {
  readonly kind: 'sign'
  readonly worker: string
  readonly of?: readonly ('output' | 'cpu' | 'files')[] | undefined
}

/** What a session tells while it works. Agents that are plain commands tell nothing of it. */
export type SessionEvent = { readonly worker: string; readonly seq: number } & (
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool_started'; readonly id: string; readonly tool: string; readonly title: string }
  | { readonly kind: 'tool_ended'; readonly id: string; readonly outcome: 'completed' | 'failed' }
  | {
      readonly kind: 'permission_asked'
      readonly id: string
      readonly tool: string
      readonly title: string
      readonly options: readonly { readonly id: string; readonly label: string; readonly kind: string }[]
    }
  | {
      readonly kind: 'usage'
      readonly tokensIn: number | null
      readonly tokensOut: number | null
      /** Of the session so far. */
      readonly usd: number | null
    }
  | { readonly kind: 'turn_ended'; readonly reason: string }
)

/** It has handed in its report and still runs. */
export interface WorkerReported {
  readonly kind: 'reported'
  readonly worker: string
}

/** Its process was stopped by a signal, or goes on again. */
export interface WorkerHalted {
  readonly kind: 'halted'
  readonly worker: string
  readonly isHalted: boolean
}

/** Its supervisor did not run for a while, and so neither did it: how long that was since its start, all in all. */
export interface WorkerPaused {
  readonly kind: 'paused'
  readonly worker: string
  readonly totalMs: number
}

/** It showed signs of life before anybody who listens now could see them. */
export interface WorkerLived {
  readonly kind: 'lived'
  readonly worker: string
}

export type AgentEvent =
  | WorkerSign
  | WorkerLived
  | WorkerReported
  | WorkerHalted
  | WorkerPaused
  | SessionEvent
  | WorkerEnded

/** What can be said to a running session. */
export type Words =
  | { readonly kind: 'prompt'; readonly text: string; readonly message?: Message | undefined }
  | { readonly kind: 'permission'; readonly id: string; readonly option: string }

/** The agent cannot be had: missing, not executable, not signed in. Nothing was started. */
export class AgentUnavailable extends Error {
  override readonly name = 'AgentUnavailable'
}

/** A worker that runs, or has ended already. */
export interface Started {
  /** Which agent it is; null where nobody knows. */
  readonly agent: string | null
}

/**
 * Runs workers. They outlive whoever started them.
 * - `start` resolves once the worker runs, with the same agent that its end will name, or rejects with AgentUnavailable; or with WorkspaceNotReady or NeedsPerson where
 *   its workspace could not be made ready or the machine itself is in the way: that is nothing another agent could do
 *   better. Nothing was started then. A signal that comes before the worker runs ends what prepares it.
 * - Starting a worker that was started before changes nothing and resolves, whether it runs or has ended.
 * - Every worker that was started or stopped has exactly one `ended`, and it is the last event of that worker.
 * - `unheard` answers with every `ended` that was not acknowledged, in the order they came; listeners hear what comes after.
 * - `stop` resolves once nothing of the worker runs any more; it is idempotent, and changes nothing for a worker that has ended.
 * - A worker that is stopped while it runs ends as `stopped`, with the cause it was stopped for; one that was never started
 *   ends so too, and can no longer be started. One that had ended by itself by then, or that finishes when it is asked to end
 *   and leaves its report, ends as what it came to.
 * - Whoever begins to listen is told which workers have reported, which are halted and which were paused, as if it were new.
 * - Listeners are never called synchronously from `start` or `stop`.
 * - After a restart of Bosun, session events may be heard again, with the same `seq`.
 * - `send` answers false where nobody takes the words: the agent listens to nothing while it works, or has ended.
 * - `extend` lets a worker run for this long since its start, before its own limit ends it; of no effect once it has ended.
 */
export interface Agent {
  start(job: Job, signal?: AbortSignal): Promise<Started>
  stop(worker: string, cause: Extract<WorkerEnd, { kind: 'stopped' }>['cause']): Promise<void>
  unheard(): Promise<readonly WorkerEnded[]>
  listen(listener: (event: AgentEvent) => void): () => void
  acknowledge(worker: string): Promise<void>
  send(worker: string, words: Words): Promise<boolean>
  extend(worker: string, limitMs: number): Promise<void>
}
