/** What a dry run is made of: the answers of everything that `run` would ask of agents, gates, people and models. */
import { z } from 'zod'
import { crewScriptSchema } from './crew-script.ts'

/** How often it fails before it passes. */
const failures = z.union([z.int().min(0).max(1000), z.literal('always').transform(() => Infinity)], {
  error: 'expected how often it fails: a number, or always',
})
const gates = z.record(z.string().min(1), failures)

const decision = z.strictObject({
  choice: z.string().min(1).max(100),
  feedback: z.string().max(20_000).default('as scripted'),
  by: z.string().min(1).max(200).default('the script'),
})
export type ScriptedDecision = z.infer<typeof decision>

export const dryRunSchema = z.strictObject({
  /** The same as in bosun-script.yaml. */
  specialist: crewScriptSchema
    .extend({ stand_in: z.enum(['empty', 'placeholder']).default('placeholder') })
    .default({ tasks: {}, reviews: {}, stand_in: 'placeholder' }),
  gates: z
    .strictObject({
      /** Of every task. */
      all: gates.default({}),
      tasks: z.record(z.string().min(1), gates).default({}),
      release: gates.default({}),
    })
    .default({ all: {}, tasks: {}, release: {} }),
  /** By the ids of integration tests. */
  integration: gates.default({}),
  /** One after the other, then the plan is paused; absent where the user answers. */
  person: z.array(decision).optional(),
  /** What is proposed for rejected tasks, one after the other; then the rules propose. */
  brain: z
    .array(z.strictObject({ recommend: z.enum(['rescope', 'drop']), note: z.string().max(2000) }))
    .default([]),
})
export type DryRun = z.infer<typeof dryRunSchema>

/** The file in a state root that makes every plan in it a dry run. */
export const DRY_RUN_FILE = 'dry-run.yaml'
