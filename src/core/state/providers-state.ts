/** What the state knows of agents that cannot work now, and of failures that have one cause. */
import type { Role } from '../event-schemas/schemas.ts'
import type { Instant } from './state.ts'

/** An agent whose name nobody said. */
export const UNNAMED = 'the agent'

/** An agent whose provider lets nobody work: no worker of its roles is sent. */
export interface Parked {
  /** When it can be asked again; null where nobody said: then one worker at a time finds out. */
  readonly until: Instant | null
  /** Since when it has not worked; moved by clock jumps, like `probeAt`. */
  readonly since: Instant
  readonly why: string
  /** The worker that finds out; null while none is under way. */
  readonly probe: string | null
  /** When the next one may be sent. */
  readonly probeAt: Instant
  readonly isTold: boolean
  /** The log does not say so yet. */
  readonly isNews: boolean
  /** Why it is over, until the log says so; null while it is not. */
  readonly over: string | null
}

/** Workers that failed one after the other in the same words. */
export interface Failures {
  readonly signature: string
  readonly reason: string
  /** At which tasks, each once. */
  readonly tasks: readonly string[]
  readonly times: number
}

/** Open: workers fail at one thing whatever they are sent for, so nobody is sent but one at a time, ever more seldom. */
export interface Breaker extends Failures {
  readonly probes: number
  readonly probe: string | null
  readonly probeAt: Instant
  /** Why it is over, until the item about it is withdrawn; null while it is not. */
  readonly over: string | null
}

export interface ProvidersState {
  /** Who was last what, by role. */
  agents: Readonly<Partial<Record<Role, string>>>
  /** By the name of the agent. */
  readonly parked: Map<string, Parked>
  failures: Failures | null
  breaker: Breaker | null
}
