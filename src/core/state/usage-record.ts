/** Usage with the documented field names. */
import { costOf, partsOf, type Spent } from './spending.ts'

export function usageRecord(spent: Spent) {
  const { in: tokensIn, out, cached, estimated, unpriced } = partsOf(spent)
  return {
    tokens: spent.tokens,
    tokens_in: tokensIn,
    tokens_out: out,
    /** The part of `tokens_in` that came from a cache. */
    tokens_cached: cached,
    /** Null where neither the agent nor the settings name a price. */
    usd: rounded(costOf(spent)),
    /** Of `tokens`: estimated, since the agent does not report them. */
    tokens_estimated: estimated,
    /** Of `tokens`: not in `usd`, since they have no price. */
    tokens_unpriced: unpriced,
  }
}

/** To a millionth: sums of binary fractions have more digits than they mean. */
const rounded = (usd: number | null): number | null =>
  usd === null ? null : Math.round(usd * 1_000_000) / 1_000_000
