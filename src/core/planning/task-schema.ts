/** The schemas of tasks and integration tests in the log. */
import { z } from 'zod'
import {
  GATE_KINDS,
  INFERABLE,
  SECURITY_FLAGS,
  TIERS,
  type IntegrationTest,
  type CustomGate,
  type TaskSpec,
} from './plan.ts'

const texts = z.array(z.string())

export const tierSchema = z.enum(TIERS)
export const gateKindSchema = z.enum(GATE_KINDS)

const referenceSchema = z.record(
  z.string(),
  z.strictObject({ value: z.number(), abs: z.number().optional(), rel: z.number().optional() }),
)

const ownGateSchema: z.ZodType<CustomGate> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('command'), name: z.string().min(1), command: z.string().min(1) }),
  z.strictObject({
    kind: z.literal('numeric'),
    name: z.string().min(1),
    command: z.string().min(1),
    reference: referenceSchema,
  }),
])

export const taskSpecSchema: z.ZodType<TaskSpec> = z.strictObject({
  id: z.string().min(1),
  title: z.string().min(1),
  description: z.string(),
  phase: z.string().nullable(),
  line: z.int().min(0),
  tier: tierSchema,
  tierReasons: texts,
  securityFlags: z.array(z.enum(SECURITY_FLAGS)),
  ownership: z.string().min(1),
  layer: z.string().nullable(),
  dependsOn: texts,
  acceptanceCriteria: texts,
  files: z.strictObject({ create: texts, modify: texts, delete: texts }),
  nonGoals: texts,
  testsToAdd: texts,
  inferredTests: texts.optional(),
  testsToRun: texts,
  heldOut: texts,
  gates: z.array(gateKindSchema),
  ownGates: z.array(ownGateSchema).optional(),
  interfaces: texts,
  breakingChange: z.boolean(),
  timeBudgetMs: z.int().positive(),
  commitSubject: z.string().nullable(),
  inferred: z.array(z.enum(INFERABLE)),
})

export const integrationTestSchema: z.ZodType<IntegrationTest> = z.strictObject({
  id: z.string().min(1),
  description: z.string(),
  afterLayer: z.string().min(1),
  tasksCovered: texts,
  command: z.string().min(1),
  reference: referenceSchema,
})
