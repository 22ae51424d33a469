/** The schema of a dry run: scripted agents, gates, people and models. */
import { z } from 'zod'
import { crewScriptSchema } from './crew-script.ts'
import { QUESTION_NAMES } from '../thinking/question-names.ts'
import { isBuiltIn } from '../planning/gates.ts'
import type { Plan } from '../planning/plan.ts'

/** How often it fails before it passes. */
const failures = z.union([z.int().min(0).max(1000), z.literal('always').transform(() => Infinity)], {
  error: 'expected a number of failures, or always',
})
const gates = z.record(z.string().min(1), failures)

const answers = z.array(z.json())

const decision = z.strictObject({
  choice: z.string().min(1).max(100),
  feedback: z.string().max(20_000).default('as scripted'),
  by: z.string().min(1).max(200).default('the script'),
})

export const dryRunSchema = z.strictObject({
  /** The same as in bosun-script.yaml. */
  specialist: crewScriptSchema
    .extend({ stand_in: z.enum(['empty', 'placeholder']).default('placeholder') })
    .default({ tasks: {}, reviews: {}, stand_in: 'placeholder' }),
  gates: z
    .strictObject({
      /** For every task. */
      all: gates.default({}),
      tasks: z.record(z.string().min(1), gates).default({}),
      release: gates.default({}),
    })
    .default({ all: {}, tasks: {}, release: {} }),
  /** By the ids of integration tests. */
  integration: gates.default({}),
  /** In order, then the plan is paused; absent where the user answers. */
  person: z.array(decision).optional(),
  /** Answers by question, in order; after the last one nothing is judged. */
  brain: z.partialRecord(z.enum(QUESTION_NAMES), answers).default({}),
})
export type DryRun = z.infer<typeof dryRunSchema>

export interface StrayName {
  readonly path: readonly string[]
  readonly message: string
}

/** Tasks that Bosun itself adds while a plan runs. */
const ADDED_TASK = /^(?:remediation|diagnose)-/

/** Names in the script that are not in the plan and would never take effect. */
export function strayNames(script: DryRun, plan: Pick<Plan, 'tasks' | 'integration'>): readonly StrayName[] {
  const ids = new Set(plan.tasks.map(({ id }) => id))
  const own = new Set(plan.tasks.flatMap(({ ownGates }) => (ownGates ?? []).map(({ name }) => name)))
  const tests = new Set(plan.integration.map(({ id }) => id))
  const tasks = (names: object, ...path: string[]): StrayName[] =>
    Object.keys(names)
      .filter((id) => !ids.has(id) && !ADDED_TASK.test(id))
      .map((id) => ({ path: [...path, id], message: `the plan has no task ${id}` }))
  const gatesIn = (names: object, ...path: string[]): StrayName[] =>
    Object.keys(names)
      .filter((gate) => !isBuiltIn(gate) && !own.has(gate) && !tests.has(gate))
      .map((gate) => ({ path: [...path, gate], message: `unknown gate ${gate}` }))
  return [
    ...tasks(script.specialist.tasks, 'specialist', 'tasks'),
    ...tasks(script.specialist.reviews, 'specialist', 'reviews'),
    ...gatesIn(script.gates.all, 'gates', 'all'),
    ...tasks(script.gates.tasks, 'gates', 'tasks'),
    ...Object.entries(script.gates.tasks).flatMap(([id, names]) => gatesIn(names, 'gates', 'tasks', id)),
    ...gatesIn(script.gates.release, 'gates', 'release'),
    ...Object.keys(script.integration)
      .filter((id) => !tests.has(id))
      .map((id) => ({ path: ['integration', id], message: `the plan has no integration test ${id}` })),
  ]
}

export { DRY_RUN_FILE } from './dry-run-file.ts'
