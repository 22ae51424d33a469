/** What tokens cost where the agent does not say so: by the prices that the user gives, and unknown without them. */
import type { Price } from '../event-schemas/plan-settings.ts'
import type { Usage } from '../event-schemas/schemas.ts'

const MILLION = 1_000_000

export interface Priced {
  readonly prices: Readonly<Record<string, Price>> | undefined
  readonly agent: string | null
}

/** With the cost as the agent reports it, else by the price of its model, else by that of the agent. */
export function priceUsage(usage: Usage, { prices = {}, agent }: Priced): Usage {
  const tokens = (usage.tokensIn ?? 0) + (usage.tokensOut ?? 0)
  // Agents that do not know a price report zero.
  const isReported = usage.usd !== null && (usage.usd > 0 || tokens === 0)
  if (isReported) return usage
  const price = priceIn(prices, usage.model) ?? priceIn(prices, agent)
  return { ...usage, usd: price === null ? null : costAt(price, usage) }
}

function priceIn(prices: Readonly<Record<string, Price>>, name: string | null | undefined): Price | null {
  if (name === null || name === undefined) return null
  return Object.hasOwn(prices, name) ? (prices[name] ?? null) : null
}

function costAt({ input, output, cached = input }: Price, usage: Usage): number {
  const tokensIn = usage.tokensIn ?? 0
  const fromCache = Math.min(usage.tokensCached ?? 0, tokensIn)
  const all = (tokensIn - fromCache) * input + fromCache * cached + (usage.tokensOut ?? 0) * output
  return all / MILLION
}
