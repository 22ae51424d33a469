/** Parked agents, and failures that share one cause. */
import type { Role } from '../event-schemas/schemas.ts'
import type { Instant } from './state.ts'

/** An agent without a known name. */
export const UNNAMED = 'the agent'

/** An agent whose provider refuses work: no worker of its roles is dispatched. */
export interface Parked {
  /** When the limit ends; null if unknown: then one worker at a time probes. */
  readonly until: Instant | null
  /** When it stopped working; moved by clock jumps, like `probeAt`. */
  readonly since: Instant
  readonly why: string
  /** How to sign it in, where that is what it lacks: then nothing probes until a person says that it is done. */
  readonly signIn?: string | undefined
  /** The worker that probes; null while there is none. */
  readonly probe: string | null
  /** When the next probe may start. */
  readonly probeAt: Instant
  /** Whether an inbox item was opened about it. */
  readonly isAnnounced: boolean
  /** Not in the log yet. */
  readonly isNews: boolean
  /** Why the limit ended, until that is in the log; null while it lasts. */
  readonly over: string | null
}

/** Consecutive worker failures with the same message. */
export interface Failures {
  readonly signature: string
  readonly reason: string
  /** The tasks, each once. */
  readonly tasks: readonly string[]
  readonly times: number
}

/** An open breaker: workers fail the same way at every task, so only probes are dispatched, ever less often. */
export interface Breaker extends Failures {
  readonly probes: number
  readonly probe: string | null
  readonly probeAt: Instant
  /** Why it closed, until its inbox item is withdrawn; null while it is open. */
  readonly over: string | null
}

export interface ProvidersState {
  /** The last agent of each role. */
  agents: Readonly<Partial<Record<Role, string>>>
  /** The agents that could do the work of each role, the first choice first, as its last worker found them. */
  candidates: Readonly<Partial<Record<Role, readonly string[]>>>
  /** Agents that could not be driven over the Agent Client Protocol, and why: they run as plain commands. */
  byCommand: Readonly<Record<string, string>>
  /** By the name of the agent. */
  readonly parked: Map<string, Parked>
  failures: Failures | null
  breaker: Breaker | null
}
