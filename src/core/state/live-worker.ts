/** A worker that runs, and what the watch keeps of it. */
import type { Request, RequestAnswer, SpecialistAnswer } from '../event-schemas/requests.ts'
import type { Role } from '../event-schemas/schemas.ts'
import type { StopCause } from '../event-schemas/stop-causes.ts'
import type { Health, Message } from '../event-schemas/watch.ts'
import type { Spent } from './spending.ts'
import type { Instant } from './state.ts'

export interface LiveWorker {
  readonly worker: string
  readonly role: Role
  readonly attempt: number
  /** Null until it is known. */
  readonly agent: string | null
  /** What it was asked to use; absent: the agent's own. */
  readonly model?: string
  readonly step: 'launching' | 'working' | 'stopping'
  /** When it was dispatched, then when it started; moved by clock jumps. */
  readonly since: Instant
  readonly stopCause: StopCause | null
  /** Why it is stopped, for people. */
  readonly stopWhy: string | null
  /** Its usage so far. */
  readonly used: Spent
  readonly watch: Watch
}

/** The watch's record of one worker. */
export interface Watch {
  readonly health: Health
  /** The number of messages to it so far. */
  readonly messages: number
  /** Messages that are not delivered yet. */
  readonly waiting: readonly Message[]
  /** The numbers of those that are delivered into its session and not answered yet. */
  readonly unread: readonly number[]
  /** When a message was last sent, by its subject; moved by clock jumps. */
  readonly sentAt: Readonly<Record<string, Instant>>
  /** When it was last escalated. */
  readonly escalatedAt: Instant | null
  /** When a person last gave it time, or answered a request it waited for: silence counts from there. */
  readonly armedAt: Instant | null
  /** Time granted on top of its limit, and how much of it its supervisor has applied. */
  readonly extraMs: number
  readonly extendedMs: number
  /** Why it waits at a person's word; null while it works. `since` is moved by clock jumps. */
  readonly pause: { readonly since: Instant; readonly by: string; readonly why: string } | null
  /** How long it was paused before, all in all. */
  readonly heldMs: number
  /** Whether its supervisor holds the clock of its time limit. */
  readonly isClockHeld: boolean
  /** All its requests, including answered ones. */
  readonly requests: readonly AskedRequest[]
}

export interface AskedRequest extends Request {
  /** When it was received; moved by clock jumps. */
  readonly at: Instant
  /** A person's reply, until it becomes the answer. */
  readonly reply: { readonly choice: string; readonly feedback: string; readonly by: string } | null
  /** Null while it is open. */
  readonly answer: RequestAnswer | null
  /** What came of asking a specialist; null where none was asked, or is still asked. */
  readonly specialist: SpecialistAnswer | null
}
