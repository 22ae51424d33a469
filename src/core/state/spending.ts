/**
 * Usage and its limits. Workers report what they used; a report is a lower bound and never lowers a sum.
 */
import type { Usage } from '../event-schemas/schemas.ts'
import type { Tier } from '../planning/plan.ts'

export interface Spent {
  readonly tokens: number
  readonly usd: number
}

export const NOTHING_SPENT: Spent = Object.freeze({ tokens: 0, usd: 0 })

/** Null: no limit. */
export interface Limit {
  readonly tokens: number | null
  readonly usd: number | null
}

export const NO_LIMIT: Limit = Object.freeze({ tokens: null, usd: null })

export const isLimited = (limit: Limit): boolean => limit.tokens !== null || limit.usd !== null

export const plus = (a: Spent, b: Spent): Spent => ({ tokens: a.tokens + b.tokens, usd: a.usd + b.usd })
export const minus = (a: Spent, b: Spent): Spent => ({
  tokens: Math.max(0, a.tokens - b.tokens),
  usd: Math.max(0, a.usd - b.usd),
})
export const atLeast = (a: Spent, b: Spent): Spent => ({
  tokens: Math.max(a.tokens, b.tokens),
  usd: Math.max(a.usd, b.usd),
})

export const spentOf = (usage: Usage | undefined): Spent => ({
  tokens: (usage?.tokensIn ?? 0) + (usage?.tokensOut ?? 0),
  usd: usage?.usd ?? 0,
})

/** The amount that exceeds its limit, as text; null where none does. */
export function overrun(spent: Spent, limit: Limit): string | null {
  if (limit.usd !== null && spent.usd > limit.usd) return `${money(spent.usd)} of ${money(limit.usd)}`
  if (limit.tokens !== null && spent.tokens > limit.tokens)
    return `${count(spent.tokens)} of ${count(limit.tokens)} tokens`
  return null
}

/** Whether the limit is used up. */
export const isUsedUp = (spent: Spent, { tokens, usd }: Limit): boolean =>
  (tokens !== null && spent.tokens >= tokens) || (usd !== null && spent.usd >= usd)

export const money = (usd: number): string => `$${usd.toFixed(2)}`
const count = (tokens: number): string => String(Math.round(tokens)).replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** `$1.20 and 34,000 tokens`; the price is omitted where the agent reports none. */
export function formatSpent({ usd, tokens }: Spent): string {
  const parts = [...(usd > 0 ? [money(usd)] : []), ...(tokens > 0 ? [`${count(tokens)} tokens`] : [])]
  return parts.length === 0 ? 'an unknown amount' : parts.join(' and ')
}

/** While a worker runs, only a significant step towards a limit is recorded. */
const WORTH_NOTING = 0.05

export function isWorthNoting(noted: Spent, seen: Spent, limits: readonly Limit[]): boolean {
  const usd = seen.usd - noted.usd
  const tokens = seen.tokens - noted.tokens
  return limits.some((limit) => isVisible(usd, limit.usd) || isVisible(tokens, limit.tokens))
}

const isVisible = (more: number, limit: number | null): boolean =>
  limit !== null && more >= WORTH_NOTING * limit

/** The cost of past attempts, the latest last. */
export type Costs = Readonly<Record<Tier, readonly Spent[]>>
export const NO_COSTS: Costs = Object.freeze({ critical: [], normal: [], low: [] })

const KEPT_COSTS = 50

export function withCost(costs: Costs, tier: Tier, cost: Spent): Costs {
  return { ...costs, [tier]: [...costs[tier], cost].slice(-KEPT_COSTS) }
}

/** The expected cost of one more attempt: the median of its tier, else of all; zero before the first report. */
export function estimate(costs: Costs, tier: Tier): Spent {
  const own = costs[tier]
  const known = own.length > 0 ? own : [...costs.critical, ...costs.normal, ...costs.low]
  if (known.length === 0) return NOTHING_SPENT
  return { tokens: median(known.map(({ tokens }) => tokens)), usd: median(known.map(({ usd }) => usd)) }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = 0, high = low] = sorted.slice((sorted.length - 1) >> 1, middle + 1)
  return (low + high) / 2
}

type Amounts = Readonly<Record<'usd' | 'tokens', number | null>>

/** Parses amounts such as `usd=20` or `tokens: 2,000,000`; null where an amount cannot be parsed. */
export function amountsIn(text: string): Amounts | null {
  const found: Record<'usd' | 'tokens', number | null> = { usd: null, tokens: null }
  for (const [, name = '', value = ''] of text.matchAll(AMOUNT)) {
    if (!/^\$?\d[\d_,]*(\.\d+)?$/.test(value.replace(/[.,;]$/, ''))) return null
    const amount = Number(value.replaceAll(/[$_,;]|\.$/g, ''))
    found[name.toLowerCase() === 'usd' ? 'usd' : 'tokens'] = amount
  }
  const isNone = found.usd === null && found.tokens === null
  return isNone && /\d/.test(text) ? null : found
}

/** A name followed by a sign or a number: `tokens are cheap` names no amount. */
const AMOUNT = /\b(usd|tokens)(?:\s*[=:]\s*|\s+(?=\$?\d))(\S*)/gi

/** Why a limit cannot be raised as a person asks; null where it can. */
export function rejectRaise(
  { limit, total }: { readonly limit: Limit; readonly total: Spent },
  text: string,
): string | null {
  const amounts = amountsIn(text)
  if (amounts === null) return 'cannot parse the amount'
  for (const name of ['usd', 'tokens'] as const) {
    const amount = amounts[name]
    if (amount === null) continue
    const format = (of: number): string => (name === 'usd' ? money(of) : `${count(of)} tokens`)
    if (limit[name] === null) return `the plan has no limit in ${name}`
    if (amount <= total[name])
      return `${format(amount)} is not more than the ${format(total[name])} already used`
  }
  return null
}

/** The raised limit: the amounts a person names, else one and a half times what was allowed or is expected. */
export function raised(
  limit: Limit,
  { spent, expected }: { readonly spent: Spent; readonly expected: Spent },
  text: string,
): Limit {
  const named = amountsIn(text)
  const more = (name: 'usd' | 'tokens'): number | null => {
    const now = limit[name]
    return now === null ? null : Math.max(named?.[name] ?? Math.max(now, expected[name]) * 1.5, spent[name])
  }
  return { usd: more('usd'), tokens: more('tokens') }
}
