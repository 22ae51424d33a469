/** Schemas of workers' requests and their answers. */
import { z } from 'zod'

export const REQUEST_KINDS = [
  'need_clarification',
  'need_time',
  'need_resources',
  'blocked',
  'need_help',
] as const
export type AskedKind = (typeof REQUEST_KINDS)[number]
/** Also what the agent's program asks: the worker itself cannot. */
export const RECORDED_KINDS = [...REQUEST_KINDS, 'permission'] as const
export type RequestKind = (typeof RECORDED_KINDS)[number]

export const PRIORITIES = ['low', 'normal', 'high', 'critical'] as const

export const MOST_MINUTES = 24 * 60
export const MOST_TOKENS = 1_000_000_000
export const MOST_TEXT = 2000
/** Of a specialist's answer. */
export const MOST_ANSWER = 8000

export const requestSchema = z.lazy(() =>
  z.strictObject({
    /** `<worker>-r<number>`, counted from 1. */
    id: z.string().regex(/^[a-z0-9-]+-r\d+$/),
    kind: z.enum(RECORDED_KINDS),
    text: z.string().max(MOST_TEXT),
    minutes: z.int().min(1).max(MOST_MINUTES).optional(),
    tokens: z.int().min(1).max(MOST_TOKENS).optional(),
    /** The addressee, as the worker wrote it. */
    to: z.string().min(1).max(100).optional(),
    priority: z.enum(PRIORITIES),
    /** The worker itself, or `bosun` on its behalf. */
    by: z.string().min(1),
    /** The requester's own id: a repeated one is received once. */
    ref: z.string().min(1).max(200).optional(),
    /** Of a permission: requests with the same text are equal; absent where none is equal to it. */
    equalBy: z.string().min(1).max(MOST_TEXT).optional(),
  }),
)
export type Request = z.infer<typeof requestSchema>

/** How far a person's answer to a permission reaches. */
export const PERMISSION_SCOPES = ['once', 'task', 'plan'] as const
export type PermissionScope = (typeof PERMISSION_SCOPES)[number]

/** A person's decision about equal permissions, for a task or the whole plan. */
export interface RememberedPermission {
  readonly equalBy: string
  readonly decision: 'allow' | 'deny'
  /** Null for the whole plan. */
  readonly task: string | null
  readonly by: string
  /** The inbox item that was answered; it names the decision. */
  readonly item: string
  readonly at: number
}

/** What came of asking a specialist. */
export const specialistAnswerSchema = z.lazy(() =>
  z.strictObject({
    /** `none`: it could not be asked, or could not answer; the text says why. */
    outcome: z.enum(['answered', 'none']),
    text: z.string().min(1).max(MOST_ANSWER),
    /** Its agent, where known. */
    agent: z.string().min(1).optional(),
  }),
)
export type SpecialistAnswer = z.infer<typeof specialistAnswerSchema>

export const requestAnswerSchema = z.lazy(() =>
  z.strictObject({
    outcome: z.enum(['granted', 'denied', 'answered', 'expired']),
    /** The text for the worker. */
    text: z.string().min(1),
    by: z.string().min(1),
    /** What was granted: time on top of its limit, tokens on top of its task's budget. */
    minutes: z.int().min(1).max(MOST_MINUTES).optional(),
    tokens: z.int().min(1).max(MOST_TOKENS).optional(),
  }),
)
export type RequestAnswer = z.infer<typeof requestAnswerSchema>

/** The results of tests as a worker reports them: a claim, which the gates do not rest on. */
const MOST_NAMES = 50
const name = z.string().min(1).max(2000)
const count = z.int().min(0).max(1_000_000)

export const reportedTestsSchema = z
  .strictObject({
    outcome: z.enum(['passed', 'failed']),
    /** What was tested. */
    component: z.string().min(1).max(100).optional(),
    passed: count.optional(),
    failed: count.optional(),
    /** The names of those that fail. */
    failing: z.array(name).max(MOST_NAMES).optional(),
    command: z.string().min(1).max(2000).optional(),
  })
  .meta({ title: 'Test results', description: "What the worker's own test run showed." })
export type ReportedTests = z.infer<typeof reportedTestsSchema>
