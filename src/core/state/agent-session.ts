/** Sessions of agents, and which of them a new worker continues. */
import type { Role } from '../event-schemas/schemas.ts'
import { MAX_RESTARTS } from './budgets.ts'
import type { TaskState } from './state.ts'

/** How an agent continues an earlier session: `load` tells its history again. Null where it cannot. */
export const SESSION_CONTINUATIONS = ['load', 'resume'] as const
export type SessionContinuation = (typeof SESSION_CONTINUATIONS)[number] | null

export interface AgentSession {
  readonly id: string
  /** Null where it is unknown. */
  readonly agent: string | null
  readonly protocol: 'acp'
  readonly continues: SessionContinuation
  /** The worker that opened or continued it last. */
  readonly worker: string
  /** It was the session of an earlier worker before. */
  readonly isContinued: boolean
}

/** The session that the next worker of a task continues; null where it begins a new one. */
export function sessionToContinue(task: TaskState, role: Role): AgentSession | null {
  const session = role === 'reviewer' ? task.reviewSession : task.session
  if (session === null || session.continues === null || session.agent === null) return null
  if (role === 'reviewer') return session
  // After so many failures the session itself may be what misleads the agent.
  const isSpoilt = task.counters.restarts >= MAX_RESTARTS || task.cause?.kind === 'looping'
  return isSpoilt ? null : session
}
