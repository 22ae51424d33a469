/**
 * A check-in: what a worker says of itself, in the one shape that every door takes. Whatever is not in it, or
 * is too long, is refused by the name of its key. It proves nothing.
 */
import { z } from 'zod'
import type { Instant } from '../../state/state.ts'
import { CLAIMED_STATUSES, MOST_TOOLS, type Claim, type Said } from '../observed.ts'

export const MAX_LINE = 2000
export const MAX_NAME = 100
const MAX_LINES = 20
export const MAX_VALUES = 50
export const MAX_CHECKIN_BYTES = 64 * 1024

const line = z.string().max(MAX_LINE)
const name = z.string().min(1).max(MAX_NAME)
const value = z.union([z.number(), z.boolean(), line])
const values = z
  .record(name, value)
  .refine((all) => Object.keys(all).length <= MAX_VALUES, `at most ${MAX_VALUES} values`)

export const WORKER_ID = /^[a-z0-9-]{1,200}$/
export const workerIdSchema = z.string().regex(WORKER_ID, 'a worker id is of a-z, 0-9 and -')

export const checkinSchema = z
  .strictObject({
    worker_id: workerIdSchema
      .optional()
      .describe('Whose check-in it is. Over HTTP the address says so already.'),
    timestamp: z
      .string()
      .max(64)
      .optional()
      .describe('ISO 8601. Absent, to come or more than a day old: when it was received counts.'),
    status: z.enum(CLAIMED_STATUSES),
    progress_pct: z.number().min(0).max(100),
    current_step: line.optional(),
    next_step: line.optional(),
    time_remaining_estimate: z.union([line, z.number()]).optional(),
    token_usage: z.union([line, z.number().nonnegative()]).optional().describe('All it has used so far.'),
    issues: z.array(line).max(MAX_LINES).optional(),
    requests: z
      .array(z.union([name, z.object({ type: name, text: line.optional() }).catchall(value)]))
      .max(MAX_LINES)
      .optional()
      .describe('The type of a request, or the request itself.'),
    metrics: values.optional().describe('files_modified, tests_written, tests_passing, usd, …'),
    deliverables: z.union([line, z.array(line).max(MAX_VALUES)]).optional(),
    failure: z
      .strictObject({ reason: line, category: name.optional(), can_retry: z.boolean().optional() })
      .optional(),
    tool_start: name.optional().describe('A tool call begins: until it ends, silence is no stall.'),
    tool_end: name.optional(),
  })
  .meta({ title: 'Check-in', description: 'What a worker says of itself while it works.' })
export type Checkin = z.infer<typeof checkinSchema>

/** A check-in as a file: it has to say whose it is, and proves that by the token of the worker's attempt. */
export const checkinFileSchema = checkinSchema
  .extend({ worker_id: workerIdSchema, token: z.string().max(200).optional() })
  .meta({ title: 'Check-in file', description: 'A file in coordination/worker-checkins/.' })

const MOST_AHEAD_MS = 60_000
const MOST_BEHIND_MS = 24 * 3_600_000

/** When it was said: null where it does not say, NaN where that is no time. Else when it was received, and why. */
export function timeOf(
  saidAt: Instant | null,
  receivedAt: Instant,
): { readonly at: Instant; readonly note: string | null } {
  if (saidAt === null) return { at: receivedAt, note: null }
  const instead = (why: string) => ({
    at: receivedAt,
    note: `timestamp: ${why}; when it was received counts`,
  })
  if (!Number.isFinite(saidAt)) return instead('it is not a time in ISO 8601')
  if (saidAt > receivedAt + MOST_AHEAD_MS) return instead('it is yet to come')
  if (saidAt < receivedAt - MOST_BEHIND_MS) return instead('it is more than a day ago')
  return { at: Math.min(saidAt, receivedAt), note: null }
}

export function saidIn(checkin: Checkin, at: Instant): Said {
  const { status, progress_pct, current_step, next_step, time_remaining_estimate, issues, failure } = checkin
  return {
    at,
    status,
    percent: Math.floor(progress_pct),
    step: current_step ?? null,
    nextStep: next_step ?? null,
    timeRemaining: time_remaining_estimate === undefined ? null : String(time_remaining_estimate),
    issues: issues ?? [],
    failure: failure === undefined ? null : { reason: failure.reason, canRetry: failure.can_retry ?? true },
  }
}

/** Tool calls that a worker declared and that have not ended: when each began, by its name. */
export type DeclaredTools = Readonly<Record<string, Instant>>

/** The same object where nothing of it begins or ends one. */
export function toolsAfter(
  before: DeclaredTools,
  { tool_start, tool_end }: Checkin,
  at: Instant,
): DeclaredTools {
  if (tool_start === undefined && tool_end === undefined) return before
  const calls = new Map(Object.entries(before))
  const isNew = tool_start !== undefined && !calls.has(tool_start) && calls.size < MOST_TOOLS
  if (isNew) calls.set(tool_start, at)
  const isOver = tool_end !== undefined && calls.delete(tool_end)
  return isNew || isOver ? Object.fromEntries(calls) : before
}

/** A claim as it is kept, with what has to be known of its worker after a restart. */
export type RememberedClaim = Claim & { readonly tools: DeclaredTools }

export const claimSchema: z.ZodType<RememberedClaim> = z.object({
  at: z.number(),
  status: z.enum(CLAIMED_STATUSES),
  statusSince: z.number(),
  percent: z.number(),
  percentSince: z.number(),
  step: z.string().nullable(),
  nextStep: z.string().nullable(),
  timeRemaining: z.string().nullable(),
  issues: z.array(z.string()),
  failure: z.object({ reason: z.string(), canRetry: z.boolean() }).nullable(),
  count: z.number(),
  tools: z.record(z.string(), z.number()).default({}),
})

export interface Request {
  readonly type: string
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What it asks for. Who says nothing more asks about the issue it reports. */
export function requestsIn({ requests = [], issues = [] }: Checkin): readonly Request[] {
  const about = issues[0] ?? ''
  return requests.map((request) => {
    if (typeof request === 'string') return { type: request, text: about, data: {} }
    const { type, text = about, ...data } = request
    return { type, text, data }
  })
}
