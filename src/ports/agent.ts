import { tokensFrom, usdFrom } from '../core/event-schemas/amounts.ts'
import type { StartWorker, AskSpecialist } from '../core/decide/effects.ts'
import type { Report, Usage, WorkerEnd } from '../core/event-schemas/schemas.ts'
import type { Message } from '../core/event-schemas/watch.ts'
import type { RepositoryChange } from '../core/events/worker/repository-changed.ts'
import type { ReviewReport } from '../core/review/judge-review.ts'
import type { SpecialistAnswer } from '../core/event-schemas/requests.ts'
import type {
  OpenedSession,
  SessionEvent as EventOfSession,
  SessionUsage,
  TurnUsage,
} from '../core/watch/session-events.ts'

export type { ReviewReport } from '../core/review/judge-review.ts'
export type { AskedPermission, OpenedSession, SessionUsage, TurnUsage } from '../core/watch/session-events.ts'

/** A worker's job: everything it may know. */
export type Job = StartWorker & {
  readonly plan: string
  /** The design document, for reviewers. */
  readonly design: string | null
}

export interface WorkerEnded {
  readonly kind: 'ended'
  readonly worker: string
  readonly end: WorkerEnd
  readonly report: Report | null
  readonly review: ReviewReport | null
  /** Its agent, where known. */
  readonly agent?: string | undefined
  /** What it used, where its agent reports that; its report may claim something else. */
  readonly usage?: Usage | undefined
  /** Its session, where it had one. */
  readonly session?: OpenedSession | undefined
  /** The end of its text or output, on one line. */
  readonly lastWords?: string | undefined
  /** Unreadable parts of its report, with the reasons. */
  readonly notes?: readonly string[] | undefined
  /** What changed in the user's repository while it ran and Bosun did not do. */
  readonly changed?: readonly RepositoryChange[] | undefined
}

/** A sign of life, and its source. */
export interface WorkerSign {
  readonly kind: 'sign'
  readonly worker: string
  readonly of?: readonly ('output' | 'cpu' | 'files' | 'session')[] | undefined
}

/** Events of a running session. */
export type SessionEvent = { readonly worker: string } & EventOfSession

/** As events have it: agents may count in fractions, and a sum may be too large to be true. */
export function usageOf({ model, turns, ...amounts }: SessionUsage): Usage {
  return {
    ...roundUsage(amounts),
    ...(model === null || model === '' ? {} : { model }),
    ...(turns === undefined ? {} : { turns: turns.map(roundUsage) }),
  }
}

const roundUsage = ({ tokensIn, tokensOut, tokensCached, usd, isEstimated }: TurnUsage) => ({
  tokensIn: roundTokens(tokensIn),
  tokensOut: roundTokens(tokensOut),
  usd: usdFrom(usd),
  ...(tokensCached === null ? {} : { tokensCached: roundTokens(tokensCached) }),
  ...(isEstimated === true ? { isEstimated } : {}),
})

function roundTokens(value: number | null): number | null {
  const tokens = tokensFrom(value)
  return tokens === null ? null : Math.round(tokens)
}

/** It has submitted its report and still runs. */
export interface WorkerReported {
  readonly kind: 'reported'
  readonly worker: string
}

/** Its process was stopped by a signal, or continued. */
export interface WorkerHalted {
  readonly kind: 'halted'
  readonly worker: string
  readonly isHalted: boolean
}

/** Its supervisor did not run for a while, and so neither did it: the total since its start. */
export interface WorkerPaused {
  readonly kind: 'paused'
  readonly worker: string
  readonly totalMs: number
}

/** It gave signs of life before the current listener was attached. */
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

/** A message to a running session. */
export type SessionMessage =
  | { readonly kind: 'prompt'; readonly message: Message }
  | {
      readonly kind: 'permission'
      readonly id: string
      readonly decision: 'allow' | 'deny'
      /** The number of the message that carries the answer. */
      readonly message: number
    }
  /** This message need not be delivered any more. */
  | { readonly kind: 'withdrawn'; readonly message: number }

/** The agent is missing, not executable or not signed in. Nothing was started. */
export class AgentUnavailable extends Error {
  override readonly name = 'AgentUnavailable'
}

/** A worker that runs or has ended. */
export interface Started {
  /** Null where it is unknown. */
  readonly agent: string | null
  readonly protocol?: 'command' | 'acp' | undefined
  /** What it is asked to use; absent: the agent's own. */
  readonly model?: string | undefined
  readonly effort?: string | undefined
  /** Why this agent, model and effort. */
  readonly why?: string | undefined
  /** The agents that could do the work of its role, the first choice first. */
  readonly candidates?: readonly string[] | undefined
}

/**
 * Runs workers. They outlive the process that started them.
 * - `start` resolves once the worker runs, with the same agent that its end will name, or rejects with AgentUnavailable; or with WorkspaceNotReady or NeedsPerson where
 *   its workspace could not be prepared or the machine itself is the problem, which no other agent could solve. Nothing
 *   was started then. A signal that comes before the worker runs ends the preparation.
 * - Starting a worker that was started before changes nothing and resolves, whether it runs or has ended.
 * - Every worker that was started or stopped has exactly one `ended`, and it is the last event of that worker.
 * - `unacknowledged` returns every `ended` that was not acknowledged, in order; listeners get those that come after. Each
 *   worker that the log counts as running (`running`) runs, or is among them: one of which nothing is left has failed.
 * - A worker whose files are damaged or missing has failed, with the name of the file; nothing else is touched by that.
 * - `stop` resolves once nothing of the worker runs any more; it is idempotent, and changes nothing for a worker that has ended.
 * - A worker that is stopped while it runs ends as `stopped`, with the cause it was stopped for; one that was never started
 *   ends so too, and can no longer be started. One that had ended by itself by then, or that finishes with a report when
 *   it is asked to end, keeps its own end.
 * - A new listener gets the events of workers that have a session, have reported, are halted, were paused or wait for a
 *   permission.
 * - Listeners are never called synchronously from `start` or `stop`.
 * - After a restart of Bosun, session events may come again, with the same `seq`.
 * - `send` returns false where the agent accepts no input while it works, or has ended. Otherwise the message is kept, and
 *   `delivered` follows once it reached the agent; sending a message again changes nothing.
 * - `extend` lets a worker run for this long since its start, before its own limit ends it; of no effect once it has ended.
 * - `hold` stops the clock of that limit, or lets it run again; of no effect once it has ended.
 */
export interface Agent {
  start(job: Job, signal?: AbortSignal): Promise<Started>
  stop(worker: string, cause: Extract<WorkerEnd, { kind: 'stopped' }>['cause']): Promise<void>
  unacknowledged(running?: readonly string[]): Promise<readonly WorkerEnded[]>
  listen(listener: (event: AgentEvent) => void): () => void
  acknowledge(worker: string): Promise<void>
  send(worker: string, message: SessionMessage): Promise<boolean>
  extend(worker: string, limitMs: number): Promise<void>
  hold(worker: string, isHeld: boolean): Promise<void>
}

export interface SpecialistQuestion extends AskSpecialist {
  readonly plan: string
  readonly design: string | null
}

export interface AskedSpecialist {
  readonly answer: SpecialistAnswer
  /** What it used, where its agent reports that. */
  readonly usage?: Usage | undefined
}

/**
 * Answers a worker's question by a short session of another agent, which sees the work and changes nothing of it.
 * - `ask` resolves also where no agent could be had, or none could answer; it ends within the question's time limit.
 * - Asked again after a restart, it goes on with the same session, or returns its answer.
 * - After the signal nothing of the session runs on.
 */
export interface Specialist {
  ask(question: SpecialistQuestion, signal: AbortSignal): Promise<AskedSpecialist>
}

/** The folder of a worker in the state root, independent of the log. */
export interface FoundWorker {
  /** The id of its repository, which is the name of a folder. */
  readonly repository: string
  readonly worker: string
  readonly plan: string
}

/** A running worker, independent of the log. */
export interface LivingWorker extends FoundWorker {
  readonly pid: number
}
