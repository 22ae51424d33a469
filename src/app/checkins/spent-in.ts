/** The usage that a worker claims. */
import type { Spent } from '../../core/state/spending.ts'
import type { Checkin } from '../../core/watch/checkins/checkin.ts'

/** From `token_usage` and the metric `usd`; null without either. */
export function spentIn({ token_usage, metrics }: Checkin): Spent | null {
  const spent = { tokens: amountIn(token_usage), usd: amountIn(metrics?.['usd']) }
  return spent.tokens > 0 || spent.usd > 0 ? spent : null
}

function amountIn(value: unknown): number {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof amount === 'number' && Number.isFinite(amount) && amount > 0 ? amount : 0
}
