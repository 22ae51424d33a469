/** The interview over HTTP: `/api/pm/*`. Every body and query names the repository. */
import { z } from 'zod'
import { timestamp, type Wire } from './answers.ts'
import { understoodRequest } from './intake.ts'
import { callerEnvironment } from './requests.ts'

const MAX_MESSAGE = 100_000
/** A spec has at most 100 KB; a longer one is refused with its problems, not as a bad request. */
const MAX_SPEC = 1_000_000
const MAX_DAYS_MS = 366 * 24 * 3_600_000

const repo = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => path.startsWith('/'), 'is not an absolute path')
/** The name of the caller. It is recorded and proves nothing. */
const by = z.string().min(1).max(200).optional()
/** The caller's own id for the call: sent again with the same, it counts once. */
const key = z
  .string()
  .regex(/^[\w.:-]{1,200}$/)
  .optional()
/** What the brain and then the plan get of the caller's environment; it is kept until the interview ends. */
const environment = callerEnvironment.optional()
/** Beside what each call says: where, who, and what the brain gets. */
const caller = { repo, by, environment }
const words = z
  .string()
  .max(MAX_MESSAGE)
  .refine((text) => text.trim() !== '', 'is empty')

const expertise = z.enum(['non_technical', 'basic', 'expert'])
const state = z.enum([
  'WAITING',
  'AWAIT_USER',
  'WORKING',
  'PREVIEW',
  'AWAIT_ARCHITECT',
  'ERROR',
  'DONE',
  'SUSPEND',
])

export const pmStartRequest = z.strictObject({
  ...caller,
  expertise: expertise.optional(),
  text: words.optional(),
  /** What `POST /api/intake` answered and the user corrected. */
  ...understoodRequest.partial().shape,
  /**
   * Whether to continue the newest interview that ended with an error, or to drop it; a session of `kept` continues that one.
   * Absent: continue without a text, else keep it.
   */
  resume: z.union([z.boolean(), z.string().min(1).max(100)]).optional(),
  /** Waiting longer for the user is an error; absent: as the setting says. */
  await_user_ms: z.int().positive().max(MAX_DAYS_MS).optional(),
  key,
})
export type PmStartRequest = Wire<typeof pmStartRequest>

export const pmChatRequest = z
  .strictObject({
    ...caller,
    session_id: z.string().min(1).max(200),
    /** May be empty beside `answers`. */
    message: z.string().max(MAX_MESSAGE).default(''),
    /** Several questions at once, by their ids. */
    answers: z.record(z.string().min(1).max(60), z.string().max(MAX_MESSAGE)).optional(),
    key,
  })
  .refine(({ message, answers }) => message.trim() !== '' || answers !== undefined, {
    path: ['message'],
    error: 'is empty',
  })
export type PmChatRequest = Wire<typeof pmChatRequest>

export const pmUploadRequest = z.strictObject({
  ...caller,
  markdown: z.string().max(MAX_SPEC),
  /** What `POST /api/intake` answered and the user corrected. */
  ...understoodRequest.partial().shape,
  /** False drops an interview that ended with an error and could be continued. */
  resume: z.literal(false).optional(),
  key,
})
export type PmUploadRequest = Wire<typeof pmUploadRequest>

export const pmAbandonRequest = z.strictObject({ repo, by })
export type PmAbandonRequest = Wire<typeof pmAbandonRequest>

export const pmActionRequest = z.strictObject({
  ...caller,
  action: z.enum(['continue_interview', 'submit_to_architect']),
  spec_sha: z.string().regex(/^[0-9a-f]{64}$/, 'is not a spec_sha'),
})
export type PmActionRequest = Wire<typeof pmActionRequest>

export const pmQuery = z.object({ repo })
export const pmChatQuery = z.object({ repo, after: z.coerce.number().int().nonnegative().default(0) })

const chatQuestion = z.strictObject({
  id: z.string(),
  text: z.string(),
  options: z.array(z.strictObject({ key: z.string(), label: z.string(), consequence: z.string() })),
  default: z.string().nullable(),
})
const shaOrNull = z.string().nullable()

const keptInterview = z.strictObject({
  session_id: z.string(),
  title: z.string(),
  state,
  why: z.string(),
  since: timestamp,
  messages: z.int().nonnegative(),
  spec_sha: shaOrNull,
})

export const pmStatus = z.strictObject({
  /** Null while no interview is open. */
  session_id: z.string().nullable(),
  state,
  suspended_from: state.nullable(),
  /** What waits for the user's answer; null where nothing does. */
  open_question: z.strictObject({ text: z.string(), questions: z.array(chatQuestion) }).nullable(),
  /** Of the draft; null without one. */
  spec_sha: shaOrNull,
  expertise: expertise.nullable(),
  messages: z.int().nonnegative(),
  /** What its models have cost so far, the architect's too, as far as prices are known. */
  spent_usd: z.number().nonnegative(),
  /** Why nothing happens at the moment; null where nothing is wrong. */
  why: z.string().nullable(),
  parked_until: timestamp.nullable(),
  /** The newest of `kept`. */
  recoverable: keptInterview.nullable(),
  /** Interviews that ended with an error and can be continued by `start`, newest first. */
  kept: z.array(keptInterview),
  /** The last plan that an approved spec became. */
  plan: z.string().nullable(),
  /** Why an earlier interview cannot be read; null where all can. */
  damaged: z.string().nullable(),
})
export type PmStatus = Wire<typeof pmStatus>

const ids = z.array(z.string())

export const previewAnswer = z.strictObject({
  session_id: z.string(),
  state,
  spec_sha: z.string(),
  user_spec_md: z.string(),
  bootstrap_spec_md: z.string().nullable(),
  spec_metadata: z.strictObject({
    title: z.string(),
    version: z.string(),
    priority: z.string(),
    requirements_count: z.int().nonnegative(),
  }),
  /**
   * What submitting it changes in the plan that was made from a spec of this title; absent where it becomes a new plan.
   */
  changes: z
    .strictObject({
      plan: z.string(),
      requirements: z.strictObject({
        added: ids,
        changed: z.array(z.strictObject({ id: z.string(), fields: ids })),
        removed: ids,
        unchanged: ids,
        /** Of the spec itself, such as its vision. */
        fields: ids,
      }),
      /** Tasks that are replaced or removed, with the requirements that changed. */
      tasks: z.array(z.strictObject({ id: z.string(), requirements: ids })),
    })
    .optional(),
  /** Why submitting it cannot succeed as it is, such as a plan that was released already; absent where nothing is in the way. */
  warning: z.string().optional(),
})
export type PreviewAnswer = Wire<typeof previewAnswer>

/** The spec as far as the conversation has come; it may differ from what is submitted. Null where it is not known yet. */
export const outlineAnswer = z.strictObject({
  session_id: z.string().nullable(),
  markdown: z.string().nullable(),
})
export type OutlineAnswer = Wire<typeof outlineAnswer>

export const conversationAnswer = z.strictObject({
  session_id: z.string().nullable(),
  state,
  messages: z.array(
    z.strictObject({
      /** From 1. */
      position: z.int().positive(),
      from: z.enum(['user', 'pm', 'architect']),
      text: z.string(),
      questions: z.array(chatQuestion),
      /** What the user filled in, by the ids of the questions. */
      answers: z.record(z.string(), z.string()),
      at: timestamp,
    }),
  ),
  /** Send it as `after` to get what comes next. */
  next: z.int().nonnegative(),
})
export type ConversationAnswer = Wire<typeof conversationAnswer>
