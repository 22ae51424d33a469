/** The schema of YAML plans. Each key is checked separately, so that all mistakes are reported at once. */
import { z } from 'zod'
import { durationMs } from '../../settings/settings.ts'
import { isBuiltIn, OWN_GATE_NAME } from '../gate-names.ts'
import {
  GATE_KINDS,
  INFERABLE,
  TASK_ROLES,
  TASK_SCOPES,
  TASK_TYPES,
  TIERS,
  type GateKind,
  type CustomGate,
} from '../plan.ts'
import { securityFlagOf } from './markdown/fields.ts'
import { siftCommands } from './commands/removal.ts'
import type { Path } from './zod-problems.ts'

/**
 * Created on first use: creating a schema takes longer than checking a plan with it, and most plans need few of them.
 */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

const word = once(() => z.string().trim().min(1, 'is empty'))
/** `id: 1` means "1". */
const id = once(() => z.union([word(), z.number().transform(String)], { error: 'is not a text or a number' }))

function duration() {
  return z.string({ error: 'is not a duration' }).transform((written, context) => {
    const ms = durationMs(written)
    if (ms !== null && ms > 0) return ms
    context.issues.push({
      code: 'custom',
      message: `has the invalid duration "${written}" (use 90s, 30m or 2h)`,
      input: written,
    })
    return z.NEVER
  })
}

function securityFlag() {
  return z.string().transform((written, context) => {
    const flag = securityFlagOf(written)
    if (flag !== null) return flag
    context.issues.push({
      code: 'custom',
      message: `has the unknown security flag "${written}" (use auth, schema, billing or secrets)`,
      input: written,
    })
    return z.NEVER
  })
}

const reference = once(() => {
  const tolerance = z.number().nonnegative().optional()
  return z.record(z.string(), z.strictObject({ value: z.number(), abs: tolerance, rel: tolerance }))
})

const customGateName = once(() =>
  z
    .string({ error: 'is not a text' })
    .regex(OWN_GATE_NAME, 'is not a valid name (a letter, then letters, digits, dots, dashes or underscores)')
    .refine((name) => !isBuiltIn(name), 'is the name of a built-in gate'),
)
const gateCommand = once(() =>
  word().refine(
    (command) => siftCommands(command, 1).removed.length === 0,
    'commits, pushes or leaves the repository, which a gate must not',
  ),
)
const commandGate = once(() =>
  z
    .strictObject({ name: customGateName(), command: gateCommand() })
    .transform((own): CustomGate => ({ kind: 'command', ...own })),
)
const numericGate = once(() =>
  z
    .strictObject({
      numeric: customGateName(),
      command: gateCommand(),
      reference: reference().refine((values) => Object.keys(values).length > 0, 'names no value'),
    })
    .transform(({ numeric, ...own }): CustomGate => ({ kind: 'numeric', name: numeric, ...own })),
)
const gateKind = once(() => z.enum(GATE_KINDS))

/** A gate kind by name, or a custom gate; each form is checked separately for precise errors. */
function gateEntry() {
  return z.unknown().transform((entry, context): GateKind | CustomGate => {
    const isMap = typeof entry === 'object' && entry !== null && !Array.isArray(entry)
    const own = isMap && 'numeric' in entry ? numericGate() : commandGate()
    const parsed = (isMap ? own : gateKind()).safeParse(entry, { jitless: true })
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues)
      context.issues.push({ ...issue, input: issue.input ?? entry } as z.core.$ZodRawIssue)
    return z.NEVER
  })
}

export const taskSchema = once(() => {
  const text = z.string().nullish()
  const texts = z.array(z.string()).nullish()
  const name = word().nullish()
  const list = z.array(word())
  const words = list.nullish()
  return z.strictObject({
    id: id(),
    title: word(),
    description: text,
    ownership: name,
    layer: name,
    tier: z.enum(TIERS).nullish(),
    depends_on: z.array(id()).nullish(),
    acceptance_criteria: texts,
    files: z.strictObject({ create: list, modify: list, delete: list }).partial().nullish(),
    non_goals: texts,
    tests_to_add: words,
    tests_to_run: words,
    held_out: texts,
    gates: z.array(gateEntry()).nullish(),
    interfaces: texts,
    breaking_change: z.boolean().nullish(),
    red_on_base: z.boolean().nullish(),
    security_flags: z.array(securityFlag()).nullish(),
    time_budget: duration().nullish(),
    requirements: words,
    story: name,
    role: z.enum(TASK_ROLES).nullish(),
    type: z.enum(TASK_TYPES).nullish(),
    scope: z.enum(TASK_SCOPES).nullish(),
    inferred: z.array(z.enum(INFERABLE)).nullish(),
  })
})

export const integrationSchema = once(() => {
  return z.strictObject({
    id: id(),
    after_layer: word(),
    tasks_covered: z.array(id()).default([]),
    description: z.string().default(''),
    command: word(),
    reference: reference().default({}),
  })
})

/** The contents of `environment`, `tasks` and `integration` are checked separately. */
export const planSchema = once(() => {
  const text = z.string().nullish()
  const name = word().nullish()
  return z.strictObject({
    plan: id().nullish(),
    title: name,
    design: name,
    goal: text,
    architecture: text,
    tech_stack: text,
    constraints: z.array(z.string()).nullish(),
    spec: text,
    spec_file: name,
    environment: z.unknown().optional(),
    tasks: z.array(z.unknown()),
    integration: z.array(z.unknown()).nullish(),
  })
})

export type YamlTask = z.infer<ReturnType<typeof taskSchema>>

/** The known keys at a path. */
export function knownKeys(path: Path): readonly string[] {
  const last = path.findLast((part) => typeof part === 'string')
  if (path.length === 0) return Object.keys(planSchema().shape)
  if (last === 'tasks') return Object.keys(taskSchema().shape)
  if (last === 'gates') return ['name', 'numeric', 'command', 'reference']
  if (last === 'files') return ['create', 'modify', 'delete']
  if (path[0] === 'integration' && path.length === 2) return Object.keys(integrationSchema().shape)
  return ['value', 'abs', 'rel']
}
