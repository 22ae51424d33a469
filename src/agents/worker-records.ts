/** Reads the files of a worker's folder. Supervisors of other versions may have written them. */
import { z } from 'zod'
import { ROLES, STOP_CAUSES, workerEndSchema, type StopCause } from '../core/event-schemas/schemas.ts'
import { SESSION_CONTINUATIONS } from '../core/state/agent-session.ts'
import { LineTail } from '../lib/files/line-tail.ts'
import { readIfExists } from '../lib/files/read-if-exists.ts'
import { usageOf, type OpenedSession, type WorkerEnded } from '../ports/agent.ts'
import { parseReport, parseReview } from './command/parse-report.ts'

const identity = z.object({ boot: z.string(), pid: z.int(), start: z.string() })
const tree = z.object({
  leader: identity,
  mark: z.string(),
  kind: z.enum(['namespace', 'group']),
  cgroup: z.string().nullish(),
})

const identitySchema = z.object({
  supervisor: identity.nullable(),
  agent: tree.nullable(),
  plan: z.string().nullish(),
})
export type IdentityRecord = z.infer<typeof identitySchema>

/** Of a job, what Bosun needs once it has been written. */
const jobSchema = z.object({
  plan: z.string(),
  role: z.enum(ROLES),
  protocol: z.enum(['command', 'acp']),
  agent: z.string().optional(),
  mark: z.string(),
  workspace: z.string().optional(),
  containment: z.object({ cgroup: z.string().nullish() }).optional(),
  choice: z
    .object({
      model: z.string().nullable(),
      effort: z.string().nullable(),
      why: z.string().nullable(),
      candidates: z.array(z.string()).nullable(),
    })
    .optional(),
})
export type JobRecord = z.infer<typeof jobSchema>

const text = z.string()
const tokens = z.number().nonnegative().nullable()
const turnUsage = z.object({
  tokensIn: tokens,
  tokensOut: tokens,
  tokensCached: tokens,
  usd: tokens,
  isEstimated: z.boolean().optional(),
})
/** Of a session. */
const usage = turnUsage.extend({
  model: text.nullable(),
  of: z.enum(['turns', 'last_steps']),
  turns: z.array(turnUsage).readonly().optional(),
  sessionUsd: z.number().nonnegative().optional(),
})

/** Entries of earlier builds have only the id. */
const opened = z.object({
  session: text,
  continues: z.enum(SESSION_CONTINUATIONS).nullable().default(null),
  isContinued: z.boolean().default(false),
  lost: z.object({ session: text, why: text }).nullable().default(null),
})

const resultSchema = z.object({
  v: z.literal(1),
  worker: z.string(),
  plan: z.string().nullable(),
  role: z.enum(ROLES).nullable(),
  end: workerEndSchema,
  endedAt: z.number(),
  /** What the agent left as its report, unread; and what kept it from being taken. */
  report: z.object({
    text: z.string().nullable(),
    problem: z.string().nullable(),
    note: z.string().optional(),
  }),
  outputBytes: z.number(),
  /** Absent in results of earlier builds. */
  usage: usage.nullish(),
  lastWords: text.nullish(),
})
export type WorkerResult = z.infer<typeof resultSchema>

const at = { seq: z.int() }
/** Fails on entries this version does not know. */
export const journalEntrySchema = z.discriminatedUnion('kind', [
  z.object({ ...at, kind: z.literal('claimed') }),
  z.object({ ...at, kind: z.literal('started') }),
  z.object({ ...at, kind: z.literal('stopping') }),
  z.object({ ...at, kind: z.literal('ended') }),
  z.object({ ...at, kind: z.literal('sign'), of: z.array(z.enum(['output', 'cpu', 'files', 'session'])) }),
  z.object({ ...at, kind: z.literal('reported') }),
  z.object({ ...at, kind: z.literal('halted'), isHalted: z.boolean() }),
  z.object({ ...at, kind: z.literal('paused'), totalMs: z.number().nonnegative() }),
  opened.extend({ ...at, kind: z.literal('session'), agent: text.nullable().default(null) }),
  z.object({
    ...at,
    kind: z.literal('text'),
    of: z.enum(['message', 'thought', 'replay']).default('message'),
    text,
  }),
  z.object({ ...at, kind: z.literal('tool_started'), id: text, tool: text, title: text }),
  z.object({
    ...at,
    kind: z.literal('tool_ended'),
    id: text,
    outcome: z.enum(['completed', 'failed']),
    call: text.optional(),
  }),
  z.object({
    ...at,
    kind: z.literal('permission_asked'),
    id: text,
    tool: text,
    title: text,
    paths: z.array(text),
    command: text.nullable(),
    decision: z.enum(['allow', 'ask', 'deny']),
    why: text,
  }),
  z.object({
    ...at,
    kind: z.literal('permission_answered'),
    id: text,
    outcome: z.enum(['allow', 'deny', 'cancelled']),
    by: z.enum(['policy', 'person', 'supervisor']),
  }),
  z.object({ ...at, kind: z.literal('delivered'), message: z.int() }),
  z.object({ ...at, kind: z.literal('read'), messages: z.array(z.int()) }),
  usage.extend({ ...at, kind: z.literal('usage') }),
  z.object({ ...at, kind: z.literal('error'), text }),
  z.object({ ...at, kind: z.literal('turn_ended'), reason: text }),
])
export type JournalRecord = z.infer<typeof journalEntrySchema>

export const readIdentity = (path: string): IdentityRecord | null => readJson(path, identitySchema)
export const readJob = (path: string): JobRecord | null => readJson(path, jobSchema)
export const readResult = (path: string): WorkerResult | null => readJson(path, resultSchema)

const stopSchema = z.object({ kind: z.literal('stop'), cause: z.enum(STOP_CAUSES) })
const MAX_COMMAND_BYTES = 1024 * 1024

/** The cause of the first stop command, if any. */
export function readStopCause(path: string): StopCause | null {
  for (const line of new LineTail(path, MAX_COMMAND_BYTES).read()) {
    const command = stopSchema.safeParse(jsonOf(line))
    if (command.success) return command.data.cause
  }
  return null
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A command that was cut short was never given.
    return null
  }
}

/** Null if it is not there. Throws if it is there and makes no sense: these files are written whole. */
function readJson<T>(path: string, schema: z.ZodType<T>): T | null {
  const json = readIfExists(path)
  return json === null ? null : schema.parse(JSON.parse(json))
}

/** The end as the port's event, with the worker's report parsed. */
export function endedOf(
  result: WorkerResult,
  { agent, session }: { readonly agent: string | null; readonly session: OpenedSession | null },
): WorkerEnded {
  const { worker, role, end, report } = result
  const used = result.usage ?? null
  const ended = {
    kind: 'ended',
    worker,
    end,
    ...(agent === null ? {} : { agent }),
    ...(used === null ? {} : { usage: usageOf(used) }),
    ...(session === null ? {} : { session }),
    ...(result.lastWords ? { lastWords: result.lastWords } : {}),
  } as const
  const problems = report.problem === null ? [] : [report.problem]
  if (report.text === null) return { ...ended, report: null, review: null, notes: problems }
  const several = report.note === undefined ? [] : [report.note]
  if (role === 'reviewer') {
    const { value, notes } = parseReview(report.text)
    return { ...ended, report: null, review: value, notes: [...notes, ...several] }
  }
  const { value, notes } = parseReport(report.text)
  return { ...ended, report: value, review: null, notes: [...notes, ...several] }
}
