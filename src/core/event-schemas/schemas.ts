/** Schemas that several events share. */
import { z } from 'zod'
import {
  ALWAYS_GATES,
  HIDDEN_GATES,
  MANDATORY_GATES,
  OWN_GATE_NAME,
  WHERE_PRESENT_GATES,
} from '../planning/gates.ts'
import { gateKindSchema, tierSchema } from '../planning/task-schema.ts'
import { STOP_CAUSES } from './stop-causes.ts'
import { evidenceSchema, findingSchema, reviewNoteSchema } from './evidence.ts'

export { STOP_CAUSES, type StopCause } from './stop-causes.ts'

export const text = z.string()
/** Who did it: a person, a worker, or a part of Bosun. */
export const by = z.string().min(1)
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Attempts and rounds count from 1. */
export const ordinal = z.int().min(1)
export const taskId = z.string().min(1)
export const workerId = z
  .string()
  .regex(/^[a-z0-9-]+$/, 'a worker id consists of lower-case letters, digits and dashes')
/** No later than the last moment that can be shown. */
export const instant = z.int().nonnegative().max(8_640_000_000_000_000)

/** The fields of every event about a worker. */
export const ofWorker = { worker: workerId, task: taskId, attempt: ordinal }
/** The fields of every event about an attempt at a task. */
export const ofAttempt = { task: taskId, attempt: ordinal }

export const ROLES = ['architect', 'designer', 'developer', 'fixer', 'reviewer', 'tester'] as const
export type Role = (typeof ROLES)[number]

/** Why a worker is dispatched: each reason has its own budget, or none (see budgets.ts). */
export const DISPATCH_REASONS = ['first', 'fix', 'rework', 'restart', 'revise', 'retry', 'again'] as const
export type DispatchReason = (typeof DISPATCH_REASONS)[number]

export const workerEndSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    /** It reported done, which is a claim. */
    z.strictObject({ kind: z.literal('done') }),
    /** It reported that it cannot continue without an answer. */
    z.strictObject({ kind: z.literal('blocked'), reason: z.string() }),
    /** It crashed, was killed by something else, or never started. */
    z.strictObject({ kind: z.literal('failed'), reason: z.string() }),
    /** Bosun stopped it. */
    z.strictObject({ kind: z.literal('stopped'), cause: z.enum(STOP_CAUSES) }),
    /** Its supervisor, Bosun or the machine died: uses no budget. */
    z.strictObject({
      kind: z.literal('interrupted'),
      reason: z.string(),
      /** The agent could not be driven over this protocol: the next worker uses another. */
      protocol: z.literal('acp').optional(),
    }),
    /** The provider set a limit until then. Null: it gave no time, or could not be reached. */
    z.strictObject({
      kind: z.literal('limited'),
      until: instant.nullable(),
      why: z.string().optional(),
      /** It did not let the agent in at all: what to do about it. Waiting does not help. */
      signIn: z.string().optional(),
    }),
  ]),
)
export type WorkerEnd = z.infer<typeof workerEndSchema>

export const reportedRiskSchema = z.strictObject({ description: z.string().min(1), severity: tierSchema })

export const claimedCriterionSchema = z.lazy(() =>
  z.strictObject({
    criterion: z.string().min(1),
    file: z.string().min(1),
    line: z.int().min(1),
  }),
)
export type ClaimedCriterion = z.infer<typeof claimedCriterionSchema>

const paths = z.array(z.string().min(1))
const claimedRunSchema = z.lazy(() =>
  z.strictObject({
    added: paths,
    command: z.string().nullable(),
    /** The lines of the output that matter. */
    evidence: z.string(),
  }),
)
export type ClaimedRun = z.infer<typeof claimedRunSchema>

const amounts = {
  tokensIn: z.int().nonnegative().nullable(),
  tokensOut: z.int().nonnegative().nullable(),
  usd: z.number().nonnegative().nullable(),
  /** The part of `tokensIn` that came from a cache, where the agent says so. */
  tokensCached: z.int().nonnegative().nullable().optional(),
  /** Bosun estimated the tokens or some of them, since the agent does not report all. */
  isEstimated: z.boolean().optional(),
}

export const usageSchema = z.lazy(() =>
  z.strictObject({
    ...amounts,
    model: z.string().min(1).optional(),
    /** Of each turn of its session, the last ones where there are many. */
    turns: z.array(z.strictObject(amounts)).optional(),
  }),
)
export type Usage = z.infer<typeof usageSchema>

/** A worker's parsed report. It is a claim, never evidence. */
export const reportSchema = z.lazy(() =>
  z.strictObject({
    explanation: z.string(),
    /** Null where the report has none. */
    selfAssessment: z.enum(['confident', 'uncertain', 'blocked']).nullable(),
    blockers: z.array(z.string()),
    risks: z.array(reportedRiskSchema),
    reviewNote: reviewNoteSchema.nullable(),
    /** Where each criterion is met, by its text or its number from 1. */
    criteria: z.array(claimedCriterionSchema).default([]),
    ambiguities: z.array(z.string()).optional(),
    files: z.strictObject({ created: paths, modified: paths, deleted: paths }).optional(),
    tests: claimedRunSchema.optional(),
    lint: claimedRunSchema.optional(),
    typecheck: claimedRunSchema.optional(),
    usage: usageSchema.optional(),
  }),
)
export type Report = z.infer<typeof reportSchema>
export type ReviewNote = z.infer<typeof reviewNoteSchema>

/** A built-in gate, or one of the plan's author. */
export const gateNameSchema = z.lazy(() =>
  z.union([
    z.enum(MANDATORY_GATES),
    z.enum(ALWAYS_GATES),
    z.enum(HIDDEN_GATES),
    gateKindSchema,
    z.enum(WHERE_PRESENT_GATES),
    z.string().regex(OWN_GATE_NAME).brand<'CustomGate'>(),
  ]),
)
export type GateName = z.infer<typeof gateNameSchema>

/** `inconclusive` could not be checked and is never green; `not_applicable` is listed, and not counted as passed. */
export const verdictSchema = z.lazy(() =>
  z.strictObject({
    gate: gateNameSchema,
    outcome: z.enum(['passed', 'failed', 'inconclusive', 'not_applicable']),
    /** The reason, on one line. */
    summary: z.string(),
    evidence: evidenceSchema,
  }),
)
export type Verdict = z.infer<typeof verdictSchema>

export const reviewIssueSchema = z.lazy(() =>
  z.strictObject({
    severity: z.enum(['critical', 'major', 'minor']),
    description: z.string(),
    location: z.string(),
    howToFix: z.string(),
    /** Whether the location exists in the tree; absent where that was not checked. */
    isFound: z.boolean().optional(),
  }),
)
export type ReviewIssue = z.infer<typeof reviewIssueSchema>

/** What the rules found in the lines of a change. */
export const scanSchema = z.lazy(() =>
  z.strictObject({
    /** Why it is critical, regardless of the plan: a schema, a public interface, security. */
    touches: z.array(z.string()),
    /** What a reviewer should look at. */
    findings: z.array(findingSchema),
    /** Changed lines outside of tests and lock files; absent in older logs. */
    lines: z.int().nonnegative().optional(),
    /** Files that lie or are named like migrations and are none, by what they hold; absent where none is. */
    notMigrations: z.array(z.string()).optional(),
  }),
)
export type Scan = z.infer<typeof scanSchema>

const ITEM_KINDS = ['escalation', 'question', 'approval', 'permission', 'release'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** An item's id starts with the letter of its kind. */
export const itemKind = (id: string): ItemKind | 'item' =>
  ITEM_KINDS.find((kind) => id.startsWith(kind.charAt(0).toUpperCase())) ?? 'item'

/** The subject of an inbox item, so that its answer can be applied without parsing its text. */
export const ITEM_SUBJECTS = [
  'task',
  'worker',
  'request',
  'rejection',
  'risk',
  'release_gate',
  'nothing_built',
  'completeness',
  'budget',
  'effect',
  'provider',
  'breaker',
  'checks',
  /** Whether a plan that was made from a spec starts as it is. */
  'plan_proposal',
  /** What the plan leaves open. */
  'plan_question',
  'sign_off',
  /** A rule paused the plan. */
  'paused',
  /** A person works in the place of a worker. */
  'takeover',
] as const

/** Why a worker is escalated; the alert's file is named after it. */
export const WORKER_ISSUES = [
  'stalled',
  'zombie',
  'blocked',
  'no_progress',
  'time_limit',
  'too_many_requests',
  // Requests.
  'need_clarification',
  'need_time',
  'need_resources',
  'need_help',
  'permission',
] as const
export type WorkerIssue = (typeof WORKER_ISSUES)[number]

export const inboxItemSchema = z.lazy(() =>
  z.strictObject({
    id: z.string().regex(/^[A-Z]-\d+$/),
    kind: z.enum(ITEM_KINDS),
    subject: z.enum(ITEM_SUBJECTS),
    /** The task, worker, risk, effect or agent it is about; null for the plan as a whole. */
    about: z.string().nullable(),
    task: taskId.nullable(),
    problem: z.string(),
    impact: z.string(),
    options: z.array(z.strictObject({ key: z.string().min(1), label: z.string().min(1) })).min(1),
    recommended: z.string(),
    blocking: z.boolean(),
    /** Set for items about a worker or its request. */
    issue: z.enum(WORKER_ISSUES).optional(),
  }),
)
export type InboxItem = z.infer<typeof inboxItemSchema>

/** Why a task's next move has to be decided, or why it was escalated. */
export const causeSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('gates_failed'),
      gates: z.array(gateNameSchema),
      /** The tasks below it that had not landed when its gates started. */
      onTopOf: z.array(taskId).optional(),
    }),
    z.strictObject({ kind: z.literal('gates_inconclusive'), gates: z.array(gateNameSchema) }),
    z.strictObject({ kind: z.literal('changes_requested'), issues: z.array(reviewIssueSchema) }),
    z.strictObject({
      kind: z.literal('nothing_done'),
      /** The last words of its worker, on one line. */
      lastWords: z.string().optional(),
    }),
    z.strictObject({ kind: z.literal('lost'), reason: z.string() }),
    z.strictObject({ kind: z.literal('interrupted'), reason: z.string() }),
    z.strictObject({ kind: z.literal('limited'), until: instant.nullable() }),
    z.strictObject({ kind: z.literal('stopped_for_pause') }),
    z.strictObject({ kind: z.literal('restarted') }),
    z.strictObject({ kind: z.literal('blocked'), reason: z.string() }),
    /** Its work is done, but its report has questions that only a person can settle. */
    z.strictObject({ kind: z.literal('unclear'), questions: z.array(z.string()).min(1) }),
    z.strictObject({ kind: z.literal('conflict'), reason: z.string() }),
    z.strictObject({ kind: z.literal('refused'), reason: z.string() }),
    z.strictObject({
      kind: z.literal('reviewer_lost'),
      reason: z.string(),
      lastWords: z.string().optional(),
    }),
    z.strictObject({ kind: z.literal('over_budget'), reason: z.string() }),
    z.strictObject({ kind: z.literal('looping'), reason: z.string() }),
    z.strictObject({ kind: z.literal('plan_edited') }),
  ]),
)
export type Cause = z.infer<typeof causeSchema>
