/**
 * The keys of a plan file with what each may hold: the one declaration of a task's fields, from which the fields of a
 * draft derive. Each key is checked separately, so that all mistakes are reported at once.
 */
import { z } from 'zod'
import { durationMs } from '../../settings/duration.ts'
import { isBuiltIn, OWN_GATE_NAME } from '../gates.ts'
import {
  GATE_KINDS,
  INFERABLE,
  SECURITY_FLAGS,
  TASK_ROLES,
  TASK_SCOPES,
  TASK_TYPES,
  TIERS,
  type CustomGate,
  type GateKind,
  type SecurityFlag,
} from '../plan.ts'
import type { DeepReadonly } from '../task-schema.ts'
import { siftCommands } from './commands/removal.ts'
import type { Path } from './schema-problems.ts'

const text = z.string().nullish()
const texts = z.array(z.string()).nullish()
const word = z.string().trim().min(1, 'is empty')
const name = word.nullish()
const list = z.array(word)
const words = list.nullish()
/** `id: 1` means "1". */
const id = z.union([word, z.number().transform(String)], { error: 'is not a text or a number' })

const readBy = <T>(read: (written: string) => T | null, fault: (written: string) => string) =>
  z.string().transform((written, context) => {
    const value = read(written)
    if (value !== null) return value
    context.issues.push({ code: 'custom', message: fault(written), input: written })
    return z.NEVER
  })

const duration = readBy(
  (written) => durationMs(written) || null,
  (written) => `has the invalid duration "${written}" (use 90s, 30m or 2h)`,
)
const securityFlag = readBy(
  securityFlagOf,
  (written) => `has the unknown security flag "${written}" (use auth, schema, billing or secrets)`,
)

/** `auth` or `touches_auth`. */
export function securityFlagOf(written: string): SecurityFlag | null {
  const plain = written.trim().replaceAll('`', '').toLowerCase()
  return SECURITY_FLAGS.find((flag) => flag === plain.replace(/^touches[_\s-]/, '')) ?? null
}

const tolerance = z.number().nonnegative().optional()
const reference = z.record(z.string(), z.strictObject({ value: z.number(), abs: tolerance, rel: tolerance }))

const customGateName = z
  .string({ error: 'is not a text' })
  .regex(OWN_GATE_NAME, 'is not a valid name (a letter, then letters, digits, dots, dashes or underscores)')
  .refine((given) => !isBuiltIn(given), 'is the name of a built-in gate')
const gateCommand = word.refine(
  (command) => siftCommands(command, 1).removed.length === 0,
  'commits, pushes or leaves the repository, which a gate must not',
)
const commandGate = z
  .strictObject({ name: customGateName, command: gateCommand })
  .transform((own): CustomGate => ({ kind: 'command', ...own }))
const numericGate = z
  .strictObject({
    numeric: customGateName,
    command: gateCommand,
    reference: reference.refine((values) => Object.keys(values).length > 0, 'names no value'),
  })
  .transform(({ numeric, ...own }): CustomGate => ({ kind: 'numeric', name: numeric, ...own }))
const gateKind = z.enum(GATE_KINDS)

/** A gate kind by name, or a custom gate; each form is checked separately for precise errors. */
const gateEntry = z.unknown().transform((entry, context): GateKind | CustomGate => {
  const isMap = typeof entry === 'object' && entry !== null && !Array.isArray(entry)
  const own = isMap && 'numeric' in entry ? numericGate : commandGate
  const parsed = (isMap ? own : gateKind).safeParse(entry, { jitless: true })
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues)
    context.issues.push({ ...issue, input: issue.input ?? entry } as z.core.$ZodRawIssue)
  return z.NEVER
})

export const taskSchema = z.strictObject({
  id,
  title: word,
  description: text,
  ownership: name,
  layer: name,
  tier: z.enum(TIERS).nullish(),
  depends_on: z.array(id).nullish(),
  acceptance_criteria: texts,
  files: z.strictObject({ create: list, modify: list, delete: list }).partial().nullish(),
  non_goals: texts,
  tests_to_add: words,
  tests_to_run: words,
  held_out: texts,
  gates: z.array(gateEntry).nullish(),
  interfaces: texts,
  breaking_change: z.boolean().nullish(),
  red_on_base: z.boolean().nullish(),
  security_flags: z.array(securityFlag).nullish(),
  time_budget: duration.nullish(),
  /** Ids of requirements of the spec. */
  requirements: words,
  story: name,
  role: z.enum(TASK_ROLES).nullish(),
  type: z.enum(TASK_TYPES).nullish(),
  scope: z.enum(TASK_SCOPES).nullish(),
  /** Fields that are given and yet only guessed, by the program that wrote the plan. */
  inferred: z.array(z.enum(INFERABLE)).nullish(),
})
export type FileTask = z.infer<typeof taskSchema>
/** A task as a program writes it into a plan file. */
export type WrittenTask = DeepReadonly<z.input<typeof taskSchema>> & { readonly id: string }

export const integrationSchema = z.strictObject({
  id,
  after_layer: word,
  tasks_covered: z.array(id).default([]),
  description: z.string().default(''),
  command: word,
  reference: reference.default({}),
})

/** The contents of `environment`, `tasks` and `integration` are checked separately. */
export const planSchema = z.strictObject({
  plan: id.nullish(),
  title: name,
  design: name,
  goal: text,
  architecture: text,
  tech_stack: text,
  constraints: texts,
  /** The text of the spec that the plan was made from. */
  spec: text,
  /** Where that spec stands in the plan's branch, once it was approved. */
  spec_file: name,
  environment: z.unknown().optional(),
  tasks: z.array(z.unknown()),
  integration: z.array(z.unknown()).nullish(),
})

export type FilePlan = z.infer<typeof planSchema>

/** The known keys at a path. */
export function knownKeys(path: Path): readonly string[] {
  const last = path.findLast((part) => typeof part === 'string')
  if (path.length === 0) return Object.keys(planSchema.shape)
  if (last === 'tasks') return Object.keys(taskSchema.shape)
  if (last === 'gates') return ['name', 'numeric', 'command', 'reference']
  if (last === 'files') return ['create', 'modify', 'delete']
  if (path[0] === 'integration' && path.length === 2) return Object.keys(integrationSchema.shape)
  return ['value', 'abs', 'rel']
}
