/**
 * Everything that can happen to a plan. An event is a fact; whether it may happen now is decided by
 * life.ts and admit.ts, what it changes by fold.ts. A change to a shape raises that event's version
 * and adds a step to its `older`, so that yesterday's log can be read tomorrow.
 */
import { z } from 'zod'
import { PLAN_FORMATS } from '../planning/plan.ts'
import { integrationTestSchema, taskSpecSchema, tierSchema } from '../planning/task-schema.ts'
import * as baseline from './baseline.ts'
import { diagnosisSchema, integrationResultSchema } from './integration.ts'
import * as part from './parts.ts'
import { requestAnswerSchema, requestSchema } from './requests.ts'
import * as watch from './watch.ts'

const text = z.string()
const by = z.string().min(1)
const worker = { worker: part.workerId, task: part.taskId, attempt: z.int().min(1) }

/** What a plan carries of the settings: the rules read these and nothing else. */
const amount = z.number().nonnegative().nullable()

export const planSettingsSchema = z.strictObject({
  maxParallelAgents: z.int().min(1),
  parallelTiers: z.array(tierSchema),
  antiStarvationInterval: z.int().min(1),
  maxWaitingForReview: z.int().min(1),
  fixAttempts: z.int().min(0),
  reworks: z.int().min(0),
  approval: z.enum(['each_task', 'critical', 'release']),
  reportEveryTasks: z.int().min(1),
  reportEveryMs: z.int().min(1),
  stalledMs: z.int().min(1),
  terminateAtPercent: z.int().min(100),
  /** How workers are watched; absent in what an older Bosun wrote. */
  watch: watch.watchSettingsSchema.optional(),
  checkpointTags: z.boolean(),
  /** Null: no limit. */
  budgets: z
    .strictObject({ planUsd: amount, taskUsd: amount, planTokens: amount, taskTokens: amount })
    .optional(),
  /** No agent reviews: the rules do, and critical work waits for a person. */
  reviewByRules: z.boolean().optional(),
  /** More files than this in the change of a low task are read by a reviewer; absent in what an older Bosun wrote. */
  patchLimitFiles: z.int().min(1).optional(),
  /** `rules`: low work is read by the rules alone, whatever they cannot confirm. */
  reviewLow: z.enum(['quick', 'rules']).optional(),
  /** Minor issues of a review are put right as well. */
  passMinor: z.boolean().optional(),
})
export type PlanSettings = z.infer<typeof planSettingsSchema>

const shapes = {
  'plan.registered': {
    repo: text,
    plan: z.strictObject({
      id: z.string().min(1),
      title: text,
      source: text,
      design: text.nullable(),
      format: z.enum(PLAN_FORMATS),
    }),
    settings: planSettingsSchema,
    tasks: z.array(taskSpecSchema).min(1),
    integration: z.array(integrationTestSchema),
  },
  /** What a plan was made of, kept with it: the text as it was read, and what was set when it started. */
  'plan.documented': {
    text,
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    settings: z.record(z.string(), z.unknown()),
    environment: z.record(z.string(), z.unknown()),
  },
  'plan.baselined': {
    sha: text,
    contextBlock: text,
    /** Tests that failed before anybody worked, by name. */
    failing: z.array(text),
    /** What the start commit was like; null in what an older Bosun wrote. */
    start: baseline.startSchema.nullable(),
    /** How much of each task is there already, with the evidence. */
    audits: z.array(baseline.auditSchema),
    branches: baseline.branchesSchema,
  },
  /** The plan says something else now. What is invalid is done again; the rest is as it was. */
  'plan.edited': {
    by,
    text,
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    settings: z.record(z.string(), z.unknown()),
    environment: z.record(z.string(), z.unknown()),
    /** Tasks that are new, and those that are said otherwise, as they are now. */
    specs: z.array(taskSpecSchema),
    removed: z.array(part.taskId),
    affected: z.array(part.taskId),
    /** Why each of those is invalid, in words for its next worker. */
    why: z.record(z.string(), text),
    integration: z.array(integrationTestSchema),
  },
  'plan.paused': { by, reason: text, stopWorkers: z.boolean() },
  'plan.resumed': { by },
  'plan.cancelled': { by, reason: text },
  /** Work nobody planned: a diagnosis or a remediation. */
  'plan.extended': {
    because: z.enum(['integration', 'release']),
    about: text,
    tasks: z.array(taskSpecSchema).min(1),
  },
  /** How a rejected task could go on: proposed by the brain, decided by a person. */
  'task.replanned': {
    task: part.taskId,
    recommend: z.enum(['rescope', 'split', 'drop']),
    note: text,
    by,
    /** What could take its place, in order: each needs the one before. */
    parts: z.array(taskSpecSchema).optional(),
  },
  'task.tier_raised': { task: part.taskId, tier: tierSchema, reasons: z.array(text).min(1) },
  'task.dispatched': {
    ...worker,
    role: z.enum(part.ROLES),
    reason: z.enum(part.DISPATCH_REASONS),
    why: text,
  },
  'task.gated': {
    task: part.taskId,
    attempt: z.int().min(1),
    tree: text,
    /** `failed` ran only what had failed before; only `all` can be final. */
    scope: z.enum(['all', 'failed']),
    verdicts: z.array(part.verdictSchema).min(1),
  },
  'task.reviewed': {
    task: part.taskId,
    attempt: z.int().min(1),
    round: z.int().min(1),
    by,
    verdict: z.enum(['approved', 'changes_requested']),
    summary: text,
    issues: z.array(part.reviewIssueSchema),
    /** The agent that was the reviewer. */
    agent: text.optional(),
    /** What the rules made of its verdict, where they made something else of it. */
    remark: text.optional(),
  },
  'task.committed': {
    task: part.taskId,
    attempt: z.int().min(1),
    tree: text,
    sha: text,
    branch: text,
    tag: text.nullable(),
    artifacts: z.array(text),
    /** What could go wrong, as its worker says; absent in what an older Bosun wrote, which took those of the report. */
    risks: z.array(part.reportedRiskSchema).optional(),
  },
  /** It was not committed: it does not go on top of what landed meanwhile, or (`moved`) was not proven on top of it. */
  'task.commit_refused': {
    task: part.taskId,
    attempt: z.int().min(1),
    reason: text,
    moved: z.boolean().optional(),
    /** What a person let through holds on top of what landed. Logs from before asked again, and must fold as they did. */
    keeps: z.boolean().optional(),
  },
  'review.dispatched': { ...worker, round: z.int().min(1) },
  'worker.started': {
    ...worker,
    /** Which agent it is. */
    agent: text.optional(),
  },
  /** What it has used so far, as far as anybody was told. */
  'worker.used': { ...worker, tokens: z.int().nonnegative(), usd: z.number().nonnegative() },
  /** Decided, not yet done: work is saved first, then it is stopped. */
  'worker.condemned': {
    ...worker,
    cause: z.enum(part.STOP_CAUSES),
    why: text,
    /** How far it had come in its own words, for whoever goes on. */
    checkpoint: text.optional(),
  },
  /** Its health is another than before, and by what that was seen. */
  'worker.judged': { ...worker, health: z.enum(watch.HEALTHS), why: text },
  /** It is to hear this; when it has is `worker.heard`. */
  'worker.told': { ...worker, message: watch.messageSchema, why: text },
  'worker.heard': { ...worker, messages: z.array(z.int().min(1)).min(1), via: z.enum(watch.WAYS_TO_HEAR) },
  /** It may work for longer, and whoever ends it in time knows: all extensions together. */
  'worker.extended': { ...worker, extraMs: z.int().nonnegative(), why: text },
  /** Somebody asks for it: the worker itself, or Bosun on its behalf. */
  'request.received': { ...worker, request: requestSchema },
  /** Every request is answered, also with no; the worker hears it as a message. */
  'request.answered': { ...worker, id: z.string().min(1), answer: requestAnswerSchema },
  /** It has not checked in for the first time when it should have; only noted. */
  'checkin.missed': { ...worker, why: text },
  /** What the watch would have done, had it been let. */
  'watch.would': { ...worker, what: z.enum(watch.INTERVENTIONS), about: text, why: text },
  'worker.ended': {
    ...worker,
    end: part.workerEndSchema,
    report: part.reportSchema.nullable(),
    /** Which agent it was. */
    agent: text.optional(),
    /** What of its report only a person can settle; absent in what an older Bosun wrote, which asked nothing. */
    questions: z.array(text).optional(),
  },
  /** Nobody can work with this agent until then; null where nobody knows, and `probe` is whoever finds out. */
  'provider.limited': {
    agent: text.min(1),
    until: part.instant.nullable(),
    why: text,
    probe: part.workerId.optional(),
    /** The plan that found out, where it was another one. */
    from: text.optional(),
  },
  'provider.freed': { agent: text.min(1), why: text, from: text.optional() },
  /** Something was said by a worker or a person that no longer counts. It is kept, and changes nothing. */
  'word.ignored': { from: text, about: text, why: text },
  'work.collected': {
    ...worker,
    tree: text,
    changed: z.array(text),
    /** Where the bytes are kept, whatever becomes of the workspace. */
    salvage: text,
    /** Names the change itself: the same files, from the same bytes to the same bytes. */
    patch: text.optional(),
    /** Why it may not land, whatever the gates would say. */
    refused: text.optional(),
    scan: part.scanSchema.optional(),
    /** The tree it was put on, and what of it had not landed then. Absent in logs from before the landing queue. */
    onto: text.optional(),
    ahead: z.array(text).optional(),
    /** It is refused because it conflicts with that tree. */
    conflicts: z.literal(true).optional(),
    landings: z.int().nonnegative().optional(),
  },
  /** What a task was proven on is not what it will land on. */
  'task.proof_outdated': { task: part.taskId, attempt: z.int().min(1), why: text },
  'inbox.opened': { item: part.inboxItemSchema },
  'inbox.presented': { id: text },
  /** What it was about has settled itself. */
  'inbox.withdrawn': { id: text, why: text },
  'inbox.answered': { id: text, choice: text, feedback: text, by },
  'risk.settled': { risk: text, status: z.enum(['mitigated', 'accepted']), by, reason: text },
  'integration.ran': {
    layer: text,
    round: z.int().min(1),
    /** What they ran on. */
    tree: text,
    results: z.array(integrationResultSchema),
  },
  /** Which commit made a layer's tests fail, for each that fails. */
  'integration.diagnosed': { layer: text, round: z.int().min(1), diagnoses: z.array(diagnosisSchema) },
  'release.gated': { round: z.int().min(1), tree: text, verdicts: z.array(part.verdictSchema).min(1) },
  'release.prepared': { sha: text, manifest: text },
  'release.signed': { by },
  'progress.reported': { why: text, text },
  /** A performer could not do its work; it is tried again later, and escalated when that does not help. */
  'effect.failed': {
    effect: text,
    reason: text,
    /** Trying again is of no use until a person has done something. */
    needsPerson: z.boolean().optional(),
  },
  /**
   * A PM took the plan up, for the first time or again. Wall time minus monotonic time tells jumps
   * apart from time that passed, as long as the machine was not started anew (`boot`).
   */
  'pm.started': { boot: text, offsetMs: z.int() },
  /** Wall time moved without time passing: every deadline moves with it. */
  'clock.jumped': { byMs: z.int() },
} as const

/** Events whose shape has changed since their first version. */
export const VERSIONS = {
  'plan.baselined': 2,
  'task.gated': 2,
  'release.gated': 2,
  'integration.ran': 2,
} as const

type Shapes = typeof shapes
export type EventType = keyof Shapes
type VersionOf<T extends EventType> = T extends keyof typeof VERSIONS ? (typeof VERSIONS)[T] : 1
type Inferred<S, K extends keyof S> = S[K] extends z.ZodType ? z.infer<S[K]> : never
type OptionalKeys<S> = { [K in keyof S]: S[K] extends z.ZodOptional ? K : never }[keyof S]
type Fields<S> = { readonly [K in Exclude<keyof S, OptionalKeys<S>>]: Inferred<S, K> } & {
  readonly [K in OptionalKeys<S>]?: Inferred<S, K>
}
export type EventOf<T extends EventType> = { readonly type: T; readonly v: VersionOf<T> } & Fields<Shapes[T]>
export type PlanEvent = { [T in EventType]: EventOf<T> }[EventType]

const versionOf = (type: string): number => (VERSIONS as Readonly<Record<string, number>>)[type] ?? 1

/** The newest shape of every event, by type. */
export const eventSchemas: Readonly<Record<EventType, z.ZodType<PlanEvent>>> = Object.fromEntries(
  Object.entries(shapes).map(([type, shape]) => [
    type,
    z.strictObject({ type: z.literal(type), v: z.literal(versionOf(type)), ...shape }),
  ]),
) as unknown as Record<EventType, z.ZodType<PlanEvent>>
