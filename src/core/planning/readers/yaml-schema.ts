/** The YAML form of a plan. Every key is known; each is checked by itself, so that all mistakes show at once. */
import { z } from 'zod'
import { durationMs, environmentSchema } from '../../settings.ts'
import { GATE_KINDS, TIERS } from '../plan.ts'
import { securityFlagOf } from './fields.ts'
import type { Path } from './zod-problems.ts'

function makeSchemas() {
  const text = z.string()
  const word = z.string().trim().min(1, 'is empty')
  /** `id: 1` means "1". */
  const id = z.union([word, z.number().transform(String)], { error: 'is not a text or a number' })
  const texts = z.array(z.string())
  const words = z.array(word)

  const duration = z.string({ error: 'is not a duration' }).transform((written, context) => {
    const ms = durationMs(written)
    if (ms !== null && ms > 0) return ms
    context.issues.push({
      code: 'custom',
      message: `"${written}" is no duration: digits and ms, s, m or h, like 30m`,
      input: written,
    })
    return z.NEVER
  })

  const securityFlag = z.string().transform((written, context) => {
    const flag = securityFlagOf(written)
    if (flag !== null) return flag
    context.issues.push({
      code: 'custom',
      message: `"${written}" is no security flag: auth, schema, billing or secrets`,
      input: written,
    })
    return z.NEVER
  })

  const files = z.strictObject({ create: words, modify: words, delete: words }).partial()

  const taskShape = {
    id,
    title: word,
    description: text.nullish(),
    ownership: word.nullish(),
    layer: word.nullish(),
    tier: z.enum(TIERS).nullish(),
    depends_on: z.array(id).nullish(),
    acceptance_criteria: texts.nullish(),
    files: files.nullish(),
    non_goals: texts.nullish(),
    tests_to_add: words.nullish(),
    tests_to_run: words.nullish(),
    held_out: texts.nullish(),
    gates: z.array(z.enum(GATE_KINDS)).nullish(),
    interfaces: texts.nullish(),
    breaking_change: z.boolean().nullish(),
    security_flags: z.array(securityFlag).nullish(),
    time_budget: duration.nullish(),
  }
  const taskSchema = z.strictObject(taskShape)

  const tolerance = z.number().nonnegative().optional()
  const integrationSchema = z.strictObject({
    id,
    after_layer: word,
    tasks_covered: z.array(id).default([]),
    description: text.default(''),
    command: word,
    reference: z
      .record(z.string(), z.strictObject({ value: z.number(), abs: tolerance, rel: tolerance }))
      .default({}),
  })

  const planShape = {
    plan: id.nullish(),
    title: word.nullish(),
    design: word.nullish(),
    goal: text.nullish(),
    architecture: text.nullish(),
    tech_stack: text.nullish(),
    constraints: texts.nullish(),
    environment: environmentSchema.nullish(),
    tasks: z.array(z.unknown()),
    integration: z.array(z.unknown()).nullish(),
  }
  const planSchema = z.strictObject(planShape)

  return { taskShape, taskSchema, integrationSchema, planShape, planSchema }
}

let made: ReturnType<typeof makeSchemas> | undefined

/** Made when the first YAML plan is read: making them takes longer than reading a plan, and most are Markdown. */
export function yamlSchemas(): ReturnType<typeof makeSchemas> {
  made ??= makeSchemas()
  return made
}

export type YamlTask = z.infer<ReturnType<typeof makeSchemas>['taskSchema']>

/** The keys that may stand at a path. */
export function knownKeys(path: Path): readonly string[] {
  const { planShape, taskShape, integrationSchema } = yamlSchemas()
  const last = path.findLast((part) => typeof part === 'string')
  if (path.length === 0) return Object.keys(planShape)
  if (last === 'tasks') return Object.keys(taskShape)
  if (last === 'files') return ['create', 'modify', 'delete']
  if (last === 'environment') return Object.keys(environmentSchema.unwrap().shape)
  if (path[0] === 'integration' && path.length === 2) return Object.keys(integrationSchema.shape)
  return ['value', 'abs', 'rel']
}
