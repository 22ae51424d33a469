/** What the session of a worker's agent tells, as its supervisor writes it down and as Bosun's listeners hear it. */
import { z } from 'zod'
import { tokensFrom, usdFrom } from '../event-schemas/amounts.ts'
import { SESSION_CONTINUATIONS } from '../state/agent-session.ts'

const text = z.string()
const tokens = z.unknown().optional().transform(tokensFrom)

const turnUsageSchema = z.object({
  tokensIn: tokens,
  tokensOut: tokens,
  /** The part of `tokensIn` that came from a cache. */
  tokensCached: tokens,
  usd: z.unknown().optional().transform(usdFrom),
  /** Bosun estimated some of the tokens, since the agent does not report all. */
  isEstimated: z.boolean().optional(),
})
export type TurnUsage = Readonly<z.infer<typeof turnUsageSchema>>

/** Of this worker so far. */
export const sessionUsageSchema = turnUsageSchema.extend({
  model: text.nullable(),
  /** Its turns so far, the last ones where there are many; absent for running amounts. */
  turns: z.array(turnUsageSchema).readonly().optional(),
  /** What its session has cost, with the work of earlier workers in it; absent where that is unknown. */
  sessionUsd: z.number().nonnegative().optional().catch(undefined),
})
export type SessionUsage = Readonly<z.infer<typeof sessionUsageSchema>>

/** A session that a worker's agent has opened. */
const openedSessionSchema = z.object({
  session: text,
  /** How a later worker continues it; null where the agent cannot. */
  continues: z.enum(SESSION_CONTINUATIONS).nullable(),
  /** It is the session of an earlier worker. */
  isContinued: z.boolean(),
  /** The earlier session that could not be continued, and why. */
  lost: z.object({ session: text, why: text }).nullable(),
  /** What could not be set in it and stays the agent's own, and why. */
  note: text.optional(),
})
export type OpenedSession = Readonly<z.infer<typeof openedSessionSchema>>

const askedPermissionSchema = z.object({
  id: text,
  /** The kind of tool. */
  tool: text,
  title: text,
  paths: z.array(text).readonly(),
  command: text.nullable(),
  /** By the worker's policy: `ask` waits for a `permission` message. */
  decision: z.enum(['allow', 'ask', 'deny']),
  why: text,
})
export type AskedPermission = Readonly<z.infer<typeof askedPermissionSchema>>

const kind = <K extends string>(name: K) => ({ seq: z.int(), kind: z.literal(name) })

/** Plain commands tell none of these. */
export const sessionEventSchema = z.discriminatedUnion('kind', [
  openedSessionSchema.extend({ ...kind('session'), agent: text.nullable() }),
  /** Its last words of a while, not all of them. `replay`: of an earlier worker, in a session that was loaded. */
  z.object({ ...kind('text'), of: z.enum(['message', 'thought', 'replay']), text }),
  z.object({ ...kind('tool_started'), id: text, tool: text, title: text }),
  z.object({
    ...kind('tool_ended'),
    id: text,
    outcome: z.enum(['completed', 'failed']),
    /** The same for calls with the same arguments; absent where the agent does not show them. */
    call: text.optional(),
  }),
  askedPermissionSchema.extend(kind('permission_asked')),
  z.object({
    ...kind('permission_answered'),
    id: text,
    outcome: z.enum(['allow', 'deny', 'cancelled']),
    by: z.enum(['policy', 'person', 'supervisor']),
  }),
  /** The message with this number reached it. */
  z.object({ ...kind('delivered'), message: z.int() }),
  /** The agent has answered the prompt with these messages. */
  z.object({ ...kind('read'), messages: z.array(z.int()).readonly() }),
  sessionUsageSchema.extend(kind('usage')),
  z.object({ ...kind('error'), text }),
  z.object({ ...kind('turn_ended'), reason: text }),
])
export type SessionEvent = Readonly<z.infer<typeof sessionEventSchema>>
