/** Reads the files of a worker's folder. Each may be damaged at any time, by a full disk, a crash or the worker itself. */
import { basename } from 'node:path'
import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { z } from 'zod'
import { ROLES, workerEndSchema } from '../core/event-schemas/schemas.ts'
import { sessionEventSchema, sessionUsageSchema } from '../core/watch/session-events.ts'
import { readRegularIfExists } from '../lib/files/read-if-exists.ts'
import { usageOf, type OpenedSession, type Started, type WorkerEnded } from '../ports/agent.ts'
import { atomicCreateSync } from '../lib/files/atomic-write.ts'
import { jsonIn } from '../lib/text/json.ts'
import { asDamage, DamagedFile, type WorkerFolder } from './worker-folder.ts'
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
  agent: z.string(),
  mark: z.string(),
  workspace: z.string(),
  containment: z.object({ cgroup: z.string().nullish() }),
  choice: z.object({
    model: z.string().nullable(),
    effort: z.string().nullable(),
    why: z.string().nullable(),
    candidates: z.array(z.string()).nullable(),
  }),
})
export type JobRecord = z.infer<typeof jobSchema>

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
  usage: sessionUsageSchema.nullable(),
  lastWords: z.string().nullable(),
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
  sessionEventSchema,
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
  const ended = {
    kind: 'ended',
    worker,
    end,
    ...(agent === null ? {} : { agent }),
    ...(result.usage === null ? {} : { usage: usageOf(result.usage) }),
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

/**
 * Gives a worker whose folder is damaged an end that can be read. What is in the way is set aside, so that a person can
 * look at it.
 */
export function replaceResult(folder: WorkerFolder, result: WorkerResult): void {
  mkdirSync(folder.path, { recursive: true, mode: 0o700 })
  if (orNull(() => readIdentity(folder.identity)) === null) {
    setAside(folder.identity)
    // It owns the worker: no supervisor can start any more.
    atomicCreateSync(folder.identity, JSON.stringify({ supervisor: null, agent: null, plan: result.plan }))
  }
  setAside(folder.result)
  atomicCreateSync(folder.result, JSON.stringify(result))
}

export const asideOf = (path: string): string => `${path}.damaged`

function setAside(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return
  rmSync(asideOf(path), { recursive: true, force: true })
  renameSync(path, asideOf(path))
}

/** Marks the end as taken in. It is written again where its file was lost meanwhile. */
export function keepAcknowledged(
  folder: WorkerFolder,
  result: WorkerResult,
  onError: (error: unknown) => void,
): void {
  try {
    if (orNull(() => readResult(folder.result)) === null) replaceResult(folder, result)
    renameSync(folder.result, folder.acknowledged)
  } catch (error) {
    onError(error)
  }
}

/** What is known of a worker that was started. */
export function startedAs(job: JobRecord | null): Started {
  if (job === null) return { agent: null }
  const { agent, protocol, choice } = job
  return {
    agent,
    protocol,
    ...(choice.model ? { model: choice.model } : {}),
    ...(choice.effort ? { effort: choice.effort } : {}),
    ...(choice.why ? { why: choice.why } : {}),
    ...(choice.candidates ? { candidates: choice.candidates } : {}),
  }
}
