/** The settings that a plan keeps: the rules read only these. */
import { z } from 'zod'
import { tierSchema } from '../planning/task-schema.ts'
import { ROLES } from './schemas.ts'
import { watchSettingsSchema } from './watch.ts'

const amount = z.number().nonnegative().nullable()
const name = z.string().nullable()

export const priceSchema = z.lazy(() =>
  z.strictObject({
    input: z.number().nonnegative(),
    output: z.number().nonnegative(),
    /** Of input that came from a cache; as `input` where it is absent. */
    cached: z.number().nonnegative().optional(),
  }),
)
export type Price = z.infer<typeof priceSchema>

export const planSettingsSchema = z.lazy(() =>
  z.strictObject({
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
    /** How workers are watched. */
    watch: watchSettingsSchema,
    checkpointTags: z.boolean(),
    /** Null: no limit. */
    budgets: z.strictObject({ planUsd: amount, taskUsd: amount, planTokens: amount, taskTokens: amount }),
    /** By the name of a model or of an agent, in US dollars per million tokens; absent where the settings name none. */
    prices: z.record(z.string(), priceSchema).optional(),
    /** A model is configured, so the brain is asked after failed attempts. */
    brainAssesses: z.boolean().optional(),
    /** A model is configured, so the brain reads low work. */
    brainReviews: z.boolean().optional(),
    /** No agent reviews: the rules review, and critical work waits for a person. */
    reviewByRules: z.boolean().optional(),
    /** A low task that changes more files than this gets a reviewer. */
    patchLimitFiles: z.int().min(1),
    /** `rules`: low tasks are reviewed by the rules alone. */
    reviewLow: z.enum(['quick', 'checks']),
    /** Tests that failed at the start commit may still fail in a clean release. */
    wavesThroughOldFailures: z.boolean().optional(),
    /** Minor review issues are fixed as well. */
    passMinor: z.boolean().optional(),
    /** Agent, model and effort of each role, and models by size, as far as the settings name them. */
    crew: z
      .strictObject({
        roles: z.partialRecord(z.enum(ROLES), z.strictObject({ agent: name, model: name, effort: name })),
        models: z.strictObject({ small: name, large: name }),
      })
      .optional(),
  }),
)
export type PlanSettings = z.infer<typeof planSettingsSchema>
