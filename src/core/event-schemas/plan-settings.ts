/** What a plan carries of the settings: the rules read these and nothing else. */
import { z } from 'zod'
import { tierSchema } from '../planning/task-schema.ts'
import { watchSettingsSchema } from './watch.ts'

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
  watch: watchSettingsSchema.optional(),
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
