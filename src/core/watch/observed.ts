/**
 * What is known of workers beyond the log: signs that Bosun observed, and claims of the workers. The two are kept apart.
 * After a restart or a clock jump observation begins again at `since`, so that the first look only arms the clocks.
 */
import { z } from 'zod'
import type { Instant } from '../state/state.ts'

export interface Observed {
  readonly since: Instant
  readonly workers: ReadonlyMap<string, Signs>
  /** The daemon cannot keep up: nothing new is started that can wait. */
  readonly isOverloaded?: boolean | undefined
  /** When this daemon itself did not run, the oldest first. */
  readonly pauses?: readonly Pause[] | undefined
}

/** A time in which a process was there and did not run. */
export interface Pause {
  readonly endedAt: Instant
  readonly forMs: number
}

/** What life is seen by. */
export const SIGN_KINDS = ['output', 'cpu', 'files', 'session'] as const
export type SignKind = (typeof SIGN_KINDS)[number]

export interface Signs {
  /** Observed: when each kind of life was last seen. */
  readonly seen: Readonly<Partial<Record<SignKind, Instant>>>
  /** It gave a sign of life before that, at an unknown time. */
  readonly hasLived: boolean
  /** Tool calls that have begun and not ended, by their id. */
  readonly tools: ReadonlyMap<string, ToolCall>
  readonly repeated: RepeatedCall | null
  /** When it handed in its report, and still ran. */
  readonly reportedAt: Instant | null
  /** Its process was stopped by a signal, and can do nothing. */
  readonly isHalted: boolean
  /** Its last claim; null before the first check-in. */
  readonly claim: Claim | null
  /** The last check-in in its name without a valid token: a sign of life and nothing else. */
  readonly contactAt: Instant | null
  /** How long its supervisor did not run since its start, all in all, and when it was last known to go on. */
  readonly pausedMs: number
  readonly resumedAt: Instant | null
}

/** Tool calls of one worker that are kept as running; one that forgets to end them has to stop somewhere. */
export const MOST_TOOLS = 50

export interface ToolCall {
  readonly name: string
  readonly since: Instant
}

export interface RepeatedCall {
  /** The same for calls with the same arguments. */
  readonly key: string
  /** For people. */
  readonly call: string
  readonly times: number
}

export const CLAIMED_STATUSES = ['starting', 'in_progress', 'blocked', 'completed', 'failed'] as const
export type ClaimedStatus = (typeof CLAIMED_STATUSES)[number]

/** A worker's claim about its own work: shown, a sign of life, and no proof. */
export const claimFields = z.object({
  at: z.number(),
  status: z.enum(CLAIMED_STATUSES),
  /** Since when it claims the same status. */
  statusSince: z.number(),
  percent: z.number(),
  /** Since when it claims the same percentage, or less. */
  percentSince: z.number(),
  step: z.string().nullable(),
  nextStep: z.string().nullable(),
  timeRemaining: z.string().nullable(),
  issues: z.array(z.string()),
  failure: z.object({ reason: z.string(), canRetry: z.boolean() }).nullable(),
  /** Check-ins so far. */
  count: z.number(),
})
export type Claim = Readonly<z.infer<typeof claimFields>>

export type ClaimUpdate = Omit<Claim, 'statusSince' | 'percentSince' | 'count'>

export const NO_SIGNS: Signs = Object.freeze({
  seen: Object.freeze({}),
  hasLived: false,
  tools: new Map<string, ToolCall>(),
  repeated: null,
  reportedAt: null,
  isHalted: false,
  claim: null,
  contactAt: null,
  pausedMs: 0,
  resumedAt: null,
})

/** The newest check-in becomes the claim; an older one only raises the count. */
export function nextClaim(before: Claim | null, update: ClaimUpdate): Claim {
  if (before === null) return { ...update, statusSince: update.at, percentSince: update.at, count: 1 }
  const count = before.count + 1
  if (update.at < before.at) return { ...before, count }
  const isFurther = update.percent > before.percent
  const statusSince = update.status === before.status ? before.statusSince : update.at
  return { ...update, statusSince, percentSince: isFurther ? update.at : before.percentSince, count }
}

/** When Bosun itself last saw a sign of life; null if never. */
export const lastSeen = ({ seen }: Signs): Instant | null => newest(SIGN_KINDS.map((kind) => seen[kind]))

/** When it last checked in; null if never. */
export const lastContact = ({ claim, contactAt }: Signs): Instant | null => newest([claim?.at, contactAt])

export function newest(instants: readonly (Instant | null | undefined)[]): Instant | null {
  let found: Instant | null = null
  for (const at of instants) if (at !== null && at !== undefined && (found === null || at > found)) found = at
  return found
}
