/** Metrics over time. */
import { z } from 'zod'
import { timestamp, usageRow, type Wire } from './answers.ts'

const rate = z.number().min(0).max(1).nullable()
const ms = z.number().nonnegative().nullable()

const figures = z.strictObject({
  /** Tasks that were completed, and that failed or were given up. */
  completed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  success_rate: rate,
  /** From a task's first dispatch to its commit, the median. */
  lead_time_ms: ms,
  /** Tasks whose first attempt was committed, of those completed. */
  first_pass_rate: rate,
  /** How long items waited for a person, all together. */
  person_wait_ms: z.number().nonnegative(),
  interventions: z.int().nonnegative(),
  usage: usageRow.nullable(),
  tokens_per_task: z.number().nonnegative().nullable(),
  /** Null where no price is known. */
  usd_per_task: z.number().nonnegative().nullable(),
})

export const historyAnswer = z.strictObject({
  from: timestamp,
  to: timestamp,
  total: figures,
  /** One for each hour for up to two days, else one for each day; those without anything too. */
  points: z.array(figures.extend({ from: timestamp })),
})
export type HistoryAnswer = Wire<typeof historyAnswer>
