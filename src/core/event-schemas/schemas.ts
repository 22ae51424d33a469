/** The shapes that events are made of. */
import { z } from 'zod'
import {
  ALWAYS_GATES,
  HIDDEN_GATES,
  MANDATORY_GATES,
  OWN_GATE_NAME,
  WHERE_PRESENT_GATES,
} from '../planning/gate-names.ts'
import { gateKindSchema, tierSchema } from '../planning/task-schema.ts'
import { evidenceSchema, findingSchema } from './evidence.ts'

export const text = z.string()
/** Who did it: a person, a worker, or a part of Bosun. */
export const by = z.string().min(1)
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** Attempts and rounds count from 1. */
export const ordinal = z.int().min(1)
export const taskId = z.string().min(1)
export const workerId = z
  .string()
  .regex(/^[a-z0-9-]+$/, 'a worker id is lower-case letters, digits and dashes')
export const instant = z.int().nonnegative()

/** The fields of every event about a worker. */
export const ofWorker = { worker: workerId, task: taskId, attempt: ordinal }
/** The fields of every event about an attempt at a task. */
export const ofAttempt = { task: taskId, attempt: ordinal }

export const ROLES = ['architect', 'designer', 'developer', 'fixer', 'reviewer', 'tester'] as const
export type Role = (typeof ROLES)[number]

/** Why a worker is sent: each reason has a budget of its own, or none (see budgets.ts). */
export const DISPATCH_REASONS = ['first', 'fix', 'rework', 'restart', 'revise', 'retry', 'again'] as const
export type DispatchReason = (typeof DISPATCH_REASONS)[number]

/** What ended a worker that Bosun stopped itself. */
export const STOP_CAUSES = [
  'time_limit',
  'stalled',
  'disk_limit',
  'budget',
  'looping',
  /** Nobody ever saw or heard it live. */
  'zombie',
  /** It said that it is done and then did nothing more; its work goes to the gates. */
  'finished',
  /** It said that it failed; whether somebody else could do it decides what comes next. */
  'gave_up',
  'cannot_go_on',
  'plan_edited',
  /** By a person's hand; `restarted` is to be done again at once, and costs no attempt. */
  'killed',
  'restarted',
  'paused',
  'cancelled',
] as const
export type StopCause = (typeof STOP_CAUSES)[number]

export const workerEndSchema = z.discriminatedUnion('kind', [
  /** It believes it is done. Nobody else does yet. */
  z.strictObject({ kind: z.literal('done') }),
  /** It says it cannot go on without an answer. */
  z.strictObject({ kind: z.literal('blocked'), reason: z.string() }),
  /** It crashed, was killed by something else, or never started. */
  z.strictObject({ kind: z.literal('failed'), reason: z.string() }),
  /** Bosun stopped it. */
  z.strictObject({ kind: z.literal('stopped'), cause: z.enum(STOP_CAUSES) }),
  /** Its supervisor, Bosun or the machine died under it: nobody's fault, no budget. */
  z.strictObject({ kind: z.literal('interrupted'), reason: z.string() }),
  /** The provider said: not before then. Null: it did not say when, or could not be reached. */
  z.strictObject({ kind: z.literal('limited'), until: instant.nullable(), why: z.string().optional() }),
])
export type WorkerEnd = z.infer<typeof workerEndSchema>

export const reviewNoteSchema = z.strictObject({
  summary: z.string(),
  risks: z.array(z.string()),
  rollback: z.string(),
})
export type ReviewNote = z.infer<typeof reviewNoteSchema>

export const reportedRiskSchema = z.strictObject({ description: z.string().min(1), severity: tierSchema })

export const claimedCriterionSchema = z.strictObject({
  criterion: z.string().min(1),
  file: z.string().min(1),
  line: z.int().min(1),
})
export type ClaimedCriterion = z.infer<typeof claimedCriterionSchema>

const paths = z.array(z.string().min(1))
const claimedRunSchema = z.strictObject({
  added: paths,
  command: z.string().nullable(),
  /** The lines of the output that matter. */
  evidence: z.string(),
})
export type ClaimedRun = z.infer<typeof claimedRunSchema>

export const usageSchema = z.strictObject({
  tokensIn: z.int().nonnegative().nullable(),
  tokensOut: z.int().nonnegative().nullable(),
  usd: z.number().nonnegative().nullable(),
})
export type Usage = z.infer<typeof usageSchema>

/** What a worker says about its own work, parsed. Its word is never evidence. */
export const reportSchema = z.strictObject({
  explanation: z.string(),
  /** Null where it says nothing of that. */
  selfAssessment: z.enum(['confident', 'uncertain', 'blocked']).nullable(),
  blockers: z.array(z.string()),
  risks: z.array(reportedRiskSchema),
  reviewNote: reviewNoteSchema.nullable(),
  /** Where the worker says each criterion is met: the criterion's text or its number from 1. */
  criteria: z.array(claimedCriterionSchema).default([]),
  ambiguities: z.array(z.string()).optional(),
  files: z.strictObject({ created: paths, modified: paths, deleted: paths }).optional(),
  tests: claimedRunSchema.optional(),
  lint: claimedRunSchema.optional(),
  typecheck: claimedRunSchema.optional(),
  usage: usageSchema.optional(),
})
export type Report = z.infer<typeof reportSchema>

/** A gate of Bosun's, or one that the plan's author named. */
export const gateNameSchema = z.union([
  z.enum(MANDATORY_GATES),
  z.enum(ALWAYS_GATES),
  z.enum(HIDDEN_GATES),
  gateKindSchema,
  z.enum(WHERE_PRESENT_GATES),
  z.string().regex(OWN_GATE_NAME).brand<'CustomGate'>(),
])
export type GateName = z.infer<typeof gateNameSchema>

/** `inconclusive` could not be checked and is never green; `not_applicable` is listed, and not counted as passed. */
export const verdictSchema = z.strictObject({
  gate: gateNameSchema,
  outcome: z.enum(['passed', 'failed', 'inconclusive', 'not_applicable']),
  /** One line that says why. */
  summary: z.string(),
  evidence: evidenceSchema,
})
export type Verdict = z.infer<typeof verdictSchema>

export const reviewIssueSchema = z.strictObject({
  severity: z.enum(['critical', 'major', 'minor']),
  description: z.string(),
  location: z.string(),
  howToFix: z.string(),
  /** Whether the tree has such a place; absent where nobody looked. */
  isFound: z.boolean().optional(),
})
export type ReviewIssue = z.infer<typeof reviewIssueSchema>

/** What the rules read in the lines of a change. */
export const scanSchema = z.strictObject({ touches: z.array(z.string()), findings: z.array(findingSchema) })

export const ITEM_KINDS = ['escalation', 'question', 'approval', 'permission', 'release'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** What an inbox item is about, so that its answer can be applied without reading its text. */
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
  'sign_off',
] as const

/** What a person is told about a worker of; it names the file of the alert. */
export const WORKER_ISSUES = [
  'stalled',
  'zombie',
  'blocked',
  'no_progress',
  'time_limit',
  'too_many_requests',
  // What it asks for.
  'need_clarification',
  'need_time',
  'need_resources',
  'need_help',
] as const
export type WorkerIssue = (typeof WORKER_ISSUES)[number]

export const inboxItemSchema = z.strictObject({
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
  /** Where it is about a worker or its request; absent in what an earlier Bosun wrote. */
  issue: z.enum(WORKER_ISSUES).optional(),
})
export type InboxItem = z.infer<typeof inboxItemSchema>

/** Why a task's next move has to be decided, and why it was escalated if it was. */
export const causeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('gates_failed'),
    gates: z.array(gateNameSchema),
    /** Tasks whose work it was proven on and that had not landed when it was begun. */
    onTopOf: z.array(taskId).optional(),
  }),
  z.strictObject({ kind: z.literal('gates_inconclusive'), gates: z.array(gateNameSchema) }),
  z.strictObject({ kind: z.literal('changes_requested'), issues: z.array(reviewIssueSchema) }),
  z.strictObject({ kind: z.literal('nothing_done') }),
  z.strictObject({ kind: z.literal('lost'), reason: z.string() }),
  z.strictObject({ kind: z.literal('interrupted'), reason: z.string() }),
  z.strictObject({ kind: z.literal('limited'), until: instant.nullable() }),
  z.strictObject({ kind: z.literal('stopped_for_pause') }),
  z.strictObject({ kind: z.literal('restarted') }),
  z.strictObject({ kind: z.literal('blocked'), reason: z.string() }),
  /** Its work is there, and so are questions that only a person can settle. */
  z.strictObject({ kind: z.literal('unclear'), questions: z.array(z.string()).min(1) }),
  z.strictObject({ kind: z.literal('conflict'), reason: z.string() }),
  z.strictObject({ kind: z.literal('refused'), reason: z.string() }),
  z.strictObject({ kind: z.literal('reviewer_lost'), reason: z.string() }),
  z.strictObject({ kind: z.literal('over_budget'), reason: z.string() }),
  z.strictObject({ kind: z.literal('looping'), reason: z.string() }),
  z.strictObject({ kind: z.literal('plan_edited') }),
])
export type Cause = z.infer<typeof causeSchema>
