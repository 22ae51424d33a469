/** Tasks and integration tests of a complete plan, as they stand in the log. */
import { z } from 'zod'
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
import { RELEASE_GATES } from './gates.ts'

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
    /** Those that only the list of files to modify names; absent where the plan lists its tests. */
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
    /** The check of the release that it repairs: it must pass, and no failure of the work that landed is excused. */
    repairs: z.enum(RELEASE_GATES).optional(),
    /** What the plan leaves open here; absent where it leaves nothing open. */
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

/** `undecided`: "TBD", "???". `alternatives`: "A or B?". */
export const QUESTION_KINDS = ['undecided', 'alternatives'] as const

export const planQuestionSchema = z.lazy(() =>
  z.strictObject({
    kind: z.enum(QUESTION_KINDS),
    /** As the plan's author wrote them, on one line. */
    words: z.string().min(1),
    /** In the plan's text, from 1. */
    line: z.int().min(0),
    /** What the author names to choose from; empty where they name nothing. */
    choices: z.array(z.string().min(1)),
  }),
)
export type PlanQuestion = DeepReadonly<z.infer<typeof planQuestionSchema>>

/** The same open point, also after the text around it was edited. */
export const isSameQuestion = (
  one: Pick<PlanQuestion, 'kind' | 'words'>,
  other: Pick<PlanQuestion, 'kind' | 'words'>,
): boolean => one.kind === other.kind && one.words === other.words

/** What a person decided about an open point. */
export interface PlanAnswer extends Pick<PlanQuestion, 'kind' | 'words'> {
  /** What holds, for the worker; null where the worker decides it. */
  readonly decision: string | null
  readonly by: string
  readonly at: number
}

const NONE: readonly never[] = []

/** Those without an answer: the task waits for them. */
export function openQuestions(task: {
  readonly spec: { readonly questions?: readonly PlanQuestion[] | undefined }
  readonly planAnswers: readonly PlanAnswer[]
}): readonly PlanQuestion[] {
  const { questions = NONE } = task.spec
  return questions.filter((one) => !task.planAnswers.some((answer) => isSameQuestion(answer, one)))
}

/** The answers to what the task's current text leaves open. */
export function answersInForce(task: Parameters<typeof openQuestions>[0]): readonly PlanAnswer[] {
  const { questions = NONE } = task.spec
  return task.planAnswers.filter((answer) => questions.some((one) => isSameQuestion(answer, one)))
}

/** For briefs and records, on one line. */
export const formatAnswer = ({ words, decision, by }: PlanAnswer): string =>
  decision === null ? `${by} leaves it to the worker: ${words}` : `${by} decided on "${words}": ${decision}`
