/** Reads the files of a worker's folder. Each may be damaged at any time, by a full disk, a crash or the worker itself. */
import { basename } from 'node:path'
import { z } from 'zod'
import { tokensFrom, usdFrom } from '../core/event-schemas/amounts.ts'
import { ROLES, workerEndSchema } from '../core/event-schemas/schemas.ts'
import { SESSION_CONTINUATIONS } from '../core/state/agent-session.ts'
import { readRegularIfExists } from '../lib/files/read-regular.ts'
import { usageOf, type OpenedSession, type WorkerEnded } from '../ports/agent.ts'
import type { WorkerFolder } from './worker-folder.ts'
import { parseReport, parseReview } from './command/parse-report.ts'
import { asDamage, DamagedFile, jsonIn } from './worker-files/damaged-file.ts'

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
const tokens = z.unknown().optional().transform(tokensFrom)
const usd = z.unknown().optional().transform(usdFrom)
const turnUsage = z.object({
  tokensIn: tokens,
  tokensOut: tokens,
  tokensCached: tokens,
  usd,
  isEstimated: z.boolean().optional(),
})
/** Of a session. */
const usage = turnUsage.extend({
  model: text.nullable(),
  of: z.enum(['turns', 'last_steps']),
  turns: z.array(turnUsage).readonly().optional(),
  sessionUsd: z.number().nonnegative().optional().catch(undefined),
})

/** Entries of earlier builds have only the id. */
const opened = z.object({
  session: text,
  continues: z.enum(SESSION_CONTINUATIONS).nullable().default(null),
  isContinued: z.boolean().default(false),
  lost: z.object({ session: text, why: text }).nullable().default(null),
  note: text.optional(),
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
  z.object({ ...at, kind: z.literal('claimed'), supervisor: identity }),
  z.object({ ...at, kind: z.literal('started'), agent: tree }),
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

/** Null for what is damaged too: for those who only look. */
export function orNull<T>(read: () => T | null): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof DamagedFile) return null
    throw error
  }
}

/** The plan that a worker belongs to, by whichever of its files still says so. */
export function ownerIn({ job, identity, result, acknowledged }: WorkerFolder): string | null {
  return (
    orNull(() => readJob(job))?.plan ??
    orNull(() => readIdentity(identity))?.plan ??
    orNull(() => readResult(result))?.plan ??
    orNull(() => readResult(acknowledged))?.plan ??
    null
  )
}

/** How a worker ended, whether Bosun has taken that in or not; null before it has. A damaged end is one that failed. */
export function readEnd({ path, job, result, acknowledged }: WorkerFolder): WorkerEnded | null {
  const agent = orNull(() => readJob(job))?.agent ?? null
  try {
    const end = readResult(result) ?? readResult(acknowledged)
    return end === null ? null : endedOf(end, { agent, session: null })
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    const end = { kind: 'failed', reason: error.message } as const
    return { kind: 'ended', worker: basename(path), end, report: null, review: null }
  }
}

/** What a brief and an environment need, and far more. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024

/** Null if it is not there. Throws `DamagedFile` if it is there and makes no sense: these files are written whole. */
export function readJson<T>(path: string, schema: z.ZodType<T>): T | null {
  let json: string | null
  try {
    json = readRegularIfExists(path, MAX_RECORD_BYTES)
  } catch (error) {
    throw asDamage(path, error)
  }
  if (json === null) return null
  if (json === '') throw new DamagedFile(path, 'it is empty')
  const value = jsonIn(json)
  if (value === undefined) throw new DamagedFile(path, 'it is not JSON')
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  throw new DamagedFile(path, `${where}${issue?.message ?? 'it makes no sense'}`)
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
