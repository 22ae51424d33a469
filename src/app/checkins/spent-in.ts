/** The usage that a worker claims. */
import { tokensFrom, usdFrom } from '../../core/event-schemas/amounts.ts'
import type { Spent } from '../../core/state/spending.ts'
import type { Checkin } from '../../core/watch/checkins/checkin.ts'

/** From `token_usage` and the metric `usd`; null without either. */
export function spentIn({ token_usage, metrics }: Checkin): Spent | null {
  const tokens = tokensFrom(numberIn(token_usage)) ?? 0
  const usd = usdFrom(numberIn(metrics?.['usd'])) ?? 0
  return tokens > 0 || usd > 0 ? { tokens, usd } : null
}

/** What was claimed and cannot be true. */
export function unspentIn({ token_usage, metrics }: Checkin): readonly string[] {
  const [tokens, usd] = [numberIn(token_usage), numberIn(metrics?.['usd'])]
  return [
    ...(tokens !== undefined && tokensFrom(tokens) === null
      ? ['token_usage: no count of tokens; not counted']
      : []),
    ...(usd !== undefined && usdFrom(usd) === null ? ['metrics.usd: no cost; not counted'] : []),
  ]
}

const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value
