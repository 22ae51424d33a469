/** Requests of the HTTP API. Unknown keys of bodies are rejected, so that a typo is not silently ignored. */
import { z } from 'zod'
import type { Wire } from './answers.ts'

const MAX_PATH = 4096
const MAX_WORDS = 20_000
/** The system allows no longer ones. */
const MAX_VARIABLE = 128 * 1024
/** A plan has at most this many bytes, so no more characters. */
const MAX_PLAN_TEXT = 20 * 1024 * 1024

const path = z.string().min(1).max(MAX_PATH)
const text = z.string().max(MAX_WORDS)
/** The name of the caller. It is recorded and proves nothing. */
const name = z.string().min(1).max(200)
const by = name.default('user')
/** The caller's repository, to resolve an ambiguous name. */
const repo = path.optional()

const MOST_ROWS = 200
const MAX_CURSOR = 1000

/** `cursor` is `next` of the page before; absent for the first. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).optional(),
  cursor: z.string().max(MAX_CURSOR).optional(),
}
export const listQuery = z.object(pageQuery)

/** Beside the rows: where the next page begins, null on the last, and how many rows there are in all. */
export const pageFields = {
  next: z.string().nullable(),
  total: z.int().nonnegative(),
}

/** Of the caller's environment: the PATH, and the variables that agents and the brain of bosun.yaml take. */
export const callerEnvironment = z.strictObject({
  path: z.string().max(MAX_WORDS),
  variables: z.record(z.string().max(200), z.string().max(MAX_VARIABLE)),
})

export const registerRequest = z.strictObject({
  /** The caller's working directory; paths are relative to it. */
  cwd: path,
  /** As the user gave it. */
  path,
  /** Its text, if the caller has read it. */
  text: z.string().max(MAX_PLAN_TEXT).optional(),
  design: path.optional(),
  /** Who edits, if the plan is registered with another text. */
  by: name.optional(),
  /** Of an edit: the plan that is edited; a text that names another plan is refused. */
  plan: name.optional(),
  /** Of an edit: `text_version` of the plan that it was made from. If the plan was edited since, it is refused. */
  expected_version: z.int().positive().optional(),
  /** Whether a new plan waits until a person has agreed to it. */
  propose: z.boolean().optional(),
  /** What agents are to have. Without it a new plan has the daemon's, and an edited plan keeps what it has. */
  environment: callerEnvironment.optional(),
})

export const answerRequest = z.strictObject({
  /** The key of an option or its label; the answer itself where a question takes one in words. */
  choice: z.string().min(1).max(4000),
  feedback: text.default(''),
  /** Required where something is overridden or accepted in a person's name. */
  by: name.optional(),
  /** Whether the person had the diff open before; recorded with an approval of critical work. */
  diff_opened: z.boolean().optional(),
  /** How far an answer to a permission reaches. */
  scope: z.enum(['once', 'task', 'plan']).optional(),
  /** The plan that the item was shown of; with `repo`, no item of another plan is meant. */
  plan: name.optional(),
  repo,
})
export type AnswerRequest = Wire<typeof answerRequest>

export const steerRequest = z.strictObject({
  by,
  reason: text.default(''),
  now: z.boolean().default(false),
  damaged: z.boolean().optional(),
  repo,
})
export type SteerRequest = Wire<typeof steerRequest>

/** What takes no more than who asks for it: to sign, to nudge, to take over, to revoke. */
export const actRequest = z.strictObject({ by, repo })

export const stopRequest = z.strictObject({})

export const cleanRequest = z.strictObject({ older_than_ms: z.int().nonnegative() })

export const killRequest = z.strictObject({ by, reason: text.default(''), repo })

export const instructRequest = z.strictObject({
  by,
  text: z.string().max(4000).default(''),
  type: z.enum(['continue', 'pause', 'revise', 'abort', 'expand_scope', 'reduce_scope']).optional(),
  /** With expand_scope and reduce_scope: what the contract gains or loses. */
  files: z.array(z.string().min(1).max(MAX_PATH)).max(200).optional(),
  criteria: z.array(z.string().min(1).max(2000)).max(100).optional(),
  /** The caller's own id for it: sent again with the same id, it counts once. */
  id: z
    .string()
    .regex(/^[\w.-]{1,100}$/)
    .optional(),
  repo,
})
export type InstructRequest = Wire<typeof instructRequest>

/** A process that Bosun did not start. */
export const adoptRequest = z.strictObject({
  pid: z.int().positive(),
  /** `adopted-<pid>` where it is absent. */
  name: z.string().min(1).max(200).optional(),
  time_limit_ms: z.int().positive().optional(),
  /** The caller's working directory, in the repository that the process works for. */
  cwd: path,
  by,
  /** The process that asks: what it was started by is not to be ended. */
  caller: z.int().positive().optional(),
})
export type AdoptRequest = Wire<typeof adoptRequest>

export const repoQuery = z.object({ repo })
export const extendRequest = z.strictObject({
  by,
  repo,
  minutes: z
    .int()
    .min(1)
    .max(24 * 60),
})

export const journalQuery = z.object({ repo, ...pageQuery })

const MOST_DAYS = 90
export const historyQuery = z.object({
  repo,
  plan: z.string().max(200).optional(),
  days: z.coerce.number().int().min(1).max(MOST_DAYS).default(7),
})

export const statusQuery = z.object({ records: z.literal('true').optional() })

/** For the fragment of a link, with the user's token only. */
export const codeRequest = z.strictObject({})
/** Without a token. */
export const sessionRequest = z.strictObject({ code: z.string().regex(/^[0-9a-f]{64}$/) })
/** This session, or every one. */
export const revokeRequest = z.strictObject({ all: z.boolean().default(false) })

export const transcriptQuery = z.object({ repo, after: z.string().max(100).optional() })
export const taskQuery = z.object({ repo, plan: z.string().max(200).optional() })

/** `GET /api/plans/{id}/tasks` */
export const planTasksQuery = z.object({
  repo,
  ...pageQuery,
  status: z.enum(['pending', 'ready', 'in_progress', 'completed', 'failed', 'escalated']).optional(),
  /** In the id or the title. */
  text: z.string().max(200).optional(),
})

export const traceQuery = z.object({
  repo,
  plan: z.string().max(200).optional(),
  requirement: z.string().max(100).optional(),
})

const MOST_LINES = 10_000
export const activityQuery = z.object({
  repo,
  plan: z.string().max(100).optional(),
  worker: z.string().max(200).optional(),
  event: z.string().max(100).optional(),
  /** Milliseconds since the epoch. */
  since: z.coerce.number().int().nonnegative().optional(),
  limit: z.coerce.number().int().min(1).max(MOST_LINES).default(1000),
  /** `next` of the page that follows; absent for the newest lines. */
  before: z.string().max(100).optional(),
})
export type ActivityQuery = Wire<typeof activityQuery>

export const eventsQuery = z.object({
  repo,
  plan: z.string().max(100).optional(),
  after: z.coerce.number().int().nonnegative().optional(),
  /** Whether notices are sent too, as they become due: `true` for a page, `terminal` for what attached terminals show. */
  notices: z.enum(['true', 'terminal', 'false']).optional(),
})

const line = z.string().max(2000)

/** Other keys, such as `minutes` or `to`, beside these or in `data`, are checked on receipt. */
export const workerRequest = z
  .object({
    type: z.string().min(1).max(100),
    text: line.default(''),
    data: z.record(z.string().max(100), z.json()).default({}),
  })
  .catchall(z.json())

/** A worker's report: any key may be absent, and unknown ones are ignored. */
export const workerReport = z.record(z.string().max(100), z.json())
