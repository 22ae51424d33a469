/** What requests to a model used and cost. The providers name no prices, so without the user's the cost is unknown. */
import { tokensFrom, usdFrom } from '../core/event-schemas/amounts.ts'
import { priceUsage } from '../core/crew/price-usage.ts'
import type { Price } from '../core/event-schemas/plan-settings.ts'
import type { ThoughtUsage, ModelReply } from '../ports/brain.ts'

/** By the name of the model. */
export type Prices = Readonly<Record<string, Price>>

export const NO_USAGE: ThoughtUsage = { tokensIn: 0, tokensOut: 0, tokensCached: 0, usd: 0, requests: 0 }

export type Cost = Omit<ThoughtUsage, 'requests'>

/** `asked`: the name in the settings. Providers answer with that of a version (`gpt-5.5-2026-10-01`), which is priced if it is there. */
export function costOf(
  reply: ModelReply,
  { prices, asked }: { readonly prices: Prices; readonly asked: string },
): Cost {
  const { model } = reply
  const [tokensIn, tokensOut, tokensCached] = [reply.tokensIn, reply.tokensOut, reply.tokensCached].map(
    (tokens) => Math.round(tokensFrom(tokens) ?? 0),
  ) as [number, number, number]
  const usd = usdFrom(reply.usd)
  const priced = priceUsage({ tokensIn, tokensOut, tokensCached, usd, model }, { prices, agent: asked })
  // What an agent does not count is no price of zero.
  const isCounted = tokensIn + tokensOut > 0
  return { tokensIn, tokensOut, tokensCached, usd: isCounted ? priced.usd : usd }
}

/** A sum with an unknown cost in it is unknown. */
export const addUsage = (one: ThoughtUsage, other: ThoughtUsage): ThoughtUsage => ({
  tokensIn: one.tokensIn + other.tokensIn,
  tokensOut: one.tokensOut + other.tokensOut,
  tokensCached: one.tokensCached + other.tokensCached,
  usd: one.usd === null || other.usd === null ? null : one.usd + other.usd,
  requests: one.requests + other.requests,
})
