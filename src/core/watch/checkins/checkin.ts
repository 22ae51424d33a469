/**
 * A check-in: a worker's claim about its own work, in the one shape that HTTP and files share. Unknown keys and values
 * that are too long are rejected by name. It proves nothing.
 */
import { z } from 'zod'
import type { Instant } from '../../state/state.ts'
import { reportedTestsSchema } from '../../event-schemas/requests.ts'
import { CLAIMED_STATUSES, claimFields, MOST_TOOLS, type ClaimUpdate } from '../observed.ts'

const MAX_LINE = 2000
const MAX_NAME = 100
const MAX_LINES = 20
const MAX_VALUES = 50
export const MAX_CHECKIN_BYTES = 64 * 1024

const line = z.string().max(MAX_LINE)
const name = z.string().min(1).max(MAX_NAME)
const value = z.union([z.number(), z.boolean(), line])
const values = z
  .record(name, value)
  .refine((all) => Object.keys(all).length <= MAX_VALUES, `at most ${MAX_VALUES} values`)

const WORKER_ID = /^[a-z0-9-]{1,200}$/
export const workerIdSchema = z.string().regex(WORKER_ID, 'a worker id consists of a-z, 0-9 and -')

export const checkinSchema = z
  .strictObject({
    worker_id: workerIdSchema
      .optional()
      .describe('The worker that checks in. Optional over HTTP, where the URL names it.'),
    timestamp: z
      .string()
      .max(64)
      .optional()
      .describe(
        'ISO 8601. If it is missing, in the future or more than a day old, the time of receipt is used.',
      ),
    status: z.enum(CLAIMED_STATUSES),
    progress_pct: z.number().min(0).max(100),
    current_step: line.optional(),
    next_step: line.optional(),
    time_remaining_estimate: z.union([line, z.number()]).optional(),
    token_usage: z.union([line, z.number().nonnegative()]).optional().describe('Total used so far.'),
    issues: z.array(line).max(MAX_LINES).optional(),
    requests: z
      .array(z.union([name, z.object({ type: name, text: line.optional() }).catchall(value)]))
      .max(MAX_LINES)
      .optional()
      .describe('Request types or whole requests.'),
    metrics: values.optional().describe('files_modified, tests_written, tests_passing, usd, …'),
    tests: reportedTestsSchema.optional(),
    deliverables: z.union([line, z.array(line).max(MAX_VALUES)]).optional(),
    failure: z
      .strictObject({ reason: line, category: name.optional(), can_retry: z.boolean().optional() })
      .optional(),
    tool_start: name
      .optional()
      .describe('A tool call begins; until it ends, silence does not count as a stall.'),
    tool_end: name.optional(),
  })
  .meta({ title: 'Check-in', description: 'Status report of a worker while it works.' })
export type Checkin = z.infer<typeof checkinSchema>

/** A check-in as a file names its worker and proves it by the token of the worker's attempt. */
export const checkinFileSchema = checkinSchema
  .extend({ worker_id: workerIdSchema, token: z.string().max(200).optional() })
  .meta({ title: 'Check-in file', description: 'A file in coordination/worker-checkins/.' })

const MOST_AHEAD_MS = 60_000
const MOST_BEHIND_MS = 24 * 3_600_000

/** The claimed time (null: not given, NaN: invalid) where it is plausible, else the time of receipt and a note. */
export function timeOf(
  claimedAt: Instant | null,
  receivedAt: Instant,
): { readonly at: Instant; readonly note: string | null } {
  if (claimedAt === null) return { at: receivedAt, note: null }
  const instead = (why: string) => ({
    at: receivedAt,
    note: `timestamp: ${why}; using the time of receipt`,
  })
  if (!Number.isFinite(claimedAt)) return instead('not ISO 8601')
  if (claimedAt > receivedAt + MOST_AHEAD_MS) return instead('in the future')
  if (claimedAt < receivedAt - MOST_BEHIND_MS) return instead('more than a day old')
  return { at: Math.min(claimedAt, receivedAt), note: null }
}

export function claimIn(checkin: Checkin, at: Instant): ClaimUpdate {
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

/** Tool calls that a worker declared and that have not ended: start time by name. */
export type DeclaredTools = Readonly<Record<string, Instant>>

/** Returns `before` itself if the check-in neither begins nor ends a tool call. */
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

/** A claim as the store keeps it, with the declared tool calls, for a restart. */
export const claimSchema = claimFields.extend({
  tools: z.record(z.string(), z.number()).default({}),
})
export type RememberedClaim = z.infer<typeof claimSchema>

export interface Request {
  readonly type: string
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The requests of a check-in. One without a text is about the first issue it reports. */
export function requestsIn({ requests = [], issues = [] }: Checkin): readonly Request[] {
  const about = issues[0] ?? ''
  return requests.map((request) => {
    if (typeof request === 'string') return { type: request, text: about, data: {} }
    const { type, text = about, ...data } = request
    return { type, text, data }
  })
}
