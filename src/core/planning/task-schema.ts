/** Tasks and integration tests of a complete plan, as they stand in the log. */
import { z } from 'zod'
import { planQuestionSchema } from './ambiguities/plan-question.ts'
import {
  GATE_KINDS,
  INFERABLE,
  PLAN_FORMATS,
  SECURITY_FLAGS,
  TASK_ROLES,
  TASK_SCOPES,
  TASK_TYPES,
  TIERS,
} from './plan.ts'

export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : { readonly [Key in keyof T]: DeepReadonly<T[Key]> }

const texts = z.array(z.string())

/** What a plan says before its tasks. */
export const planHeaderSchema = z.strictObject({
  id: z.string().min(1),
  title: z.string(),
  source: z.string(),
  design: z.string().nullable(),
  format: z.enum(PLAN_FORMATS),
  goal: z.string().nullable(),
  architecture: z.string().nullable(),
  techStack: z.string().nullable(),
  constraints: texts,
  /** Where the approved spec that it was made from stands in its branch; null without one. */
  specFile: z.string().nullable(),
})
export type PlanHeader = DeepReadonly<z.infer<typeof planHeaderSchema>>

export const tierSchema = z.enum(TIERS)
export const gateKindSchema = z.enum(GATE_KINDS)

const references = z.lazy(() =>
  z.record(
    z.string(),
    z.strictObject({ value: z.number(), abs: z.number().optional(), rel: z.number().optional() }),
  ),
)
export type Reference = DeepReadonly<z.infer<typeof references>>[string]

/** A command that is judged by its exit code, or by comparing its values with references. */
const customGate = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('command'), name: z.string().min(1), command: z.string().min(1) }),
    z.strictObject({
      kind: z.literal('numeric'),
      name: z.string().min(1),
      command: z.string().min(1),
      reference: references,
    }),
  ]),
)
export type CustomGate = DeepReadonly<z.infer<typeof customGate>>

const task = z.lazy(() =>
  z.strictObject({
    id: z.string().min(1),
    title: z.string().min(1),
    description: z.string(),
    phase: z.string().nullable(),
    /** Its line in the source, from 1. */
    line: z.int().min(0),
    tier: tierSchema,
    tierReasons: texts,
    securityFlags: z.array(z.enum(SECURITY_FLAGS)),
    /** The area this task locks: a label; where it looks like a path, its parents and children conflict with it. */
    ownership: z.string().min(1),
    layer: z.string().nullable(),
    dependsOn: texts,
    acceptanceCriteria: texts,
    files: z.strictObject({ create: texts, modify: texts, delete: texts }),
    nonGoals: texts,
    testsToAdd: texts,
    /** Those that only the list of files to modify names; absent in plans of earlier builds. */
    inferredTests: texts.optional(),
    testsToRun: texts,
    /** Checks the worker never sees. */
    heldOut: texts,
    gates: z.array(gateKindSchema),
    /** Custom gates, in addition to the kinds. */
    ownGates: z.array(customGate).optional(),
    interfaces: texts,
    breakingChange: z.boolean(),
    timeBudgetMs: z.int().positive(),
    /** The commit subject the plan's author intended, if the plan names one. */
    commitSubject: z.string().nullable(),
    inferred: z.array(z.enum(INFERABLE)),
    /** Ids of the spec's requirements that it helps to fulfil; absent in plans without a spec. */
    requirements: texts.optional(),
    /** The story that it belongs to. */
    story: z.string().optional(),
    /** Who works on it, where the plan says so. */
    role: z.enum(TASK_ROLES).optional(),
    /** What kind of change it is, where the plan says so. */
    type: z.enum(TASK_TYPES).optional(),
    /** How much it changes, where the plan says so; else its files tell. */
    scope: z.enum(TASK_SCOPES).optional(),
    /** Whether its new tests have to fail on the base, where the plan says so; else its criteria tell. */
    redOnBase: z.boolean().optional(),
    /** It mends failures of the work that landed, so none of them is excused. */
    repairs: z.literal(true).optional(),
    /** What the plan leaves open here; absent where it leaves nothing open, and in plans of earlier builds. */
    questions: z.array(planQuestionSchema).optional(),
  }),
)
/** A complete task. */
export type TaskSpec = DeepReadonly<z.infer<typeof task>>
export type ExpectedFiles = TaskSpec['files']
export const taskSpecSchema: z.ZodType<TaskSpec> = task

const integrationTest = z.lazy(() =>
  z.strictObject({
    id: z.string().min(1),
    description: z.string(),
    afterLayer: z.string().min(1),
    tasksCovered: texts,
    command: z.string().min(1),
    reference: references,
  }),
)
export type IntegrationTest = DeepReadonly<z.infer<typeof integrationTest>>
export const integrationTestSchema: z.ZodType<IntegrationTest> = integrationTest
