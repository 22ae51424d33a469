/** What workers and the brain used. */
import { z } from 'zod'

/** Tokens and money. The cost is null where neither the agent nor the settings name a price. */
export const usageRow = z.strictObject({
  tokens: z.number().nonnegative(),
  tokens_in: z.number().nonnegative(),
  tokens_out: z.number().nonnegative(),
  /** The part of `tokens_in` that came from a cache. */
  tokens_cached: z.number().nonnegative(),
  usd: z.number().nonnegative().nullable(),
  /** Of `tokens`: estimated by Bosun, since the agent does not report them. */
  tokens_estimated: z.number().nonnegative(),
  /** Of `tokens`: not in `usd`, since they have no price. */
  tokens_unpriced: z.number().nonnegative(),
})

export const thinkingRow = z.strictObject({
  calls: z.int().nonnegative(),
  /** To the model, retries included. */
  requests: z.int().nonnegative(),
  /** Questions that nobody judged although a brain is configured. */
  fallbacks: z.int().nonnegative(),
  usage: usageRow,
})
