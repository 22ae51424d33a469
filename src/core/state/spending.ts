/**
 * Usage and its limits. Workers report what they used; a report is a lower bound and never lowers a sum.
 */
import type { Price } from '../event-schemas/plan-settings.ts'
import type { Report, Usage } from '../event-schemas/schemas.ts'
import type { Tier } from '../planning/plan.ts'

export interface Spent {
  readonly tokens: number
  readonly usd: number
  /** How the tokens divide; absent where only the sum is known. */
  readonly parts?: SpentParts | undefined
}

/** Of the tokens of `Spent`. */
export interface SpentParts {
  readonly in: number
  readonly out: number
  /** The part of `in` that came from a cache. */
  readonly cached: number
  /** Estimated by Bosun, because the agent does not report them. */
  readonly estimated: number
  /** Without a price: neither the agent nor the settings name one. */
  readonly unpriced: number
}

export const NOTHING_SPENT: Spent = Object.freeze({ tokens: 0, usd: 0 })

/** Null: no limit. */
export interface Limit {
  readonly tokens: number | null
  readonly usd: number | null
}

export const NO_LIMIT: Limit = Object.freeze({ tokens: null, usd: null })

/** What is left for a worker when it starts. */
export interface WorkerBudget extends Limit {
  /** Of tokens whose cost its agent does not report. */
  readonly prices?: Readonly<Record<string, Price>> | undefined
}

export const isLimited = (limit: Limit): boolean => limit.tokens !== null || limit.usd !== null

export const plus = (a: Spent, b: Spent): Spent => ({
  tokens: a.tokens + b.tokens,
  usd: a.usd + b.usd,
  ...eachPart(a, b, (one, other) => one + other),
})
export const minus = (a: Spent, b: Spent): Spent => ({
  tokens: Math.max(0, a.tokens - b.tokens),
  usd: Math.max(0, a.usd - b.usd),
  ...eachPart(a, b, (one, other) => Math.max(0, one - other)),
})

/** The higher of two readings of the same worker. The reading with more tokens, else the later one, says how they divide. */
export function atLeast(a: Spent, b: Spent): Spent {
  const usd = Math.max(a.usd, b.usd)
  const { parts } = b.parts === undefined || a.tokens > b.tokens ? a : b
  const highest = { tokens: Math.max(a.tokens, b.tokens), usd }
  if (parts === undefined) return highest
  return { ...highest, parts: usd > 0 ? { ...parts, unpriced: 0 } : parts }
}

/** What a worker has used by its latest reading: never less than before, except that a count replaces an estimate. */
export function latest(before: Spent, now: Spent): Spent {
  const { tokens, usd, parts } = now
  if (parts === undefined || parts.estimated >= partsOf(before).estimated) return atLeast(before, now)
  return { tokens, usd: isPriced(now) ? usd : Math.max(usd, before.usd), parts }
}

/** Whether every token of it has a price. */
const isPriced = (spent: Spent): boolean => partsOf(spent).unpriced === 0

/** How the tokens divide, as far as that is known. */
export const partsOf = ({ tokens, usd, parts }: Spent): SpentParts =>
  parts ?? { in: 0, out: 0, cached: 0, estimated: 0, unpriced: usd > 0 ? 0 : tokens }

/** The parts of a combination; none where neither has any. */
function eachPart(
  a: Spent,
  b: Spent,
  combine: (one: number, other: number) => number,
): { readonly parts?: SpentParts } {
  if (a.parts === undefined && b.parts === undefined) return {}
  const [one, other] = [partsOf(a), partsOf(b)]
  return {
    parts: {
      in: combine(one.in, other.in),
      out: combine(one.out, other.out),
      cached: combine(one.cached, other.cached),
      estimated: combine(one.estimated, other.estimated),
      unpriced: combine(one.unpriced, other.unpriced),
    },
  }
}

export function spentOf(usage: Usage | undefined): Spent {
  if (usage === undefined) return NOTHING_SPENT
  const [tokensIn, tokensOut] = [usage.tokensIn ?? 0, usage.tokensOut ?? 0]
  const tokens = tokensIn + tokensOut
  return {
    tokens,
    usd: usage.usd ?? 0,
    parts: {
      in: tokensIn,
      out: tokensOut,
      cached: usage.tokensCached ?? 0,
      estimated: usage.isEstimated === true ? tokens : 0,
      unpriced: usage.usd === null ? tokens : 0,
    },
  }
}

/** What a worker says at its end, and what its agent says. */
type AtEnd = { readonly report: Pick<Report, 'usage'> | null } & Pick<Report, 'usage'>

/** By its report and by its agent. Bosun's own estimate counts only where neither says anything. */
export function spentAtEnd({ report, usage }: AtEnd): Spent {
  const claimed = spentOf(report?.usage)
  const isRough = usage?.isEstimated === true && usage.turns === undefined
  return isRough && claimed.tokens > 0 ? claimed : atLeast(claimed, spentOf(usage))
}

/** What a task has used, with its running worker. */
export const usedBy = (task: {
  readonly spent: Spent
  readonly live: { readonly used: Spent } | null
}): Spent => (task.live === null ? task.spent : plus(task.spent, task.live.used))

/** The cost in US dollars; null where nothing is known of it. It may be a part of all: see `unpriced`. */
export function costOf(spent: Spent): number | null {
  if (spent.usd > 0) return spent.usd
  return spent.tokens > 0 && isPriced(spent) ? 0 : null
}

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
export const count = (tokens: number): string =>
  String(Math.round(tokens)).replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** `$1.20 and 34,000 tokens`; the price is omitted where it is unknown, and an estimate is marked as one. */
export function formatSpent(spent: Spent): string {
  const { usd, tokens } = spent
  const amounts = [...(usd > 0 ? [money(usd)] : []), ...(tokens > 0 ? [`${count(tokens)} tokens`] : [])]
  if (amounts.length === 0) return 'an unknown amount'
  const { estimated, unpriced } = partsOf(spent)
  const notes = [
    ...(estimated === 0 ? [] : [estimated < tokens ? 'partly estimated' : 'estimated']),
    ...(usd > 0 && unpriced > 0 ? [`the price of ${count(unpriced)} of them is unknown`] : []),
  ]
  return `${amounts.join(' and ')}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
}

/** While a worker runs, only a significant step towards a limit is recorded. */
const WORTH_NOTING = 0.05
/** Close to the limit the steps become smaller: this part of what is left. */
const OF_THE_REST = 0.2

/** A limit, and what counts against it so far. */
export interface Allowance {
  readonly limit: Limit
  readonly used: Spent
}

/** Whether what a worker used beyond what was noted is worth recording: a part of a limit, or the step across it. */
export function isWorthNoting(noted: Spent, seen: Spent, allowances: readonly Allowance[]): boolean {
  // A count that replaces an estimate, and may be lower.
  if (latest(noted, seen).tokens < noted.tokens) return true
  return allowances.some(({ limit, used }) =>
    (['usd', 'tokens'] as const).some((unit) => {
      const [most, more] = [limit[unit], seen[unit] - noted[unit]]
      if (most === null || more <= 0) return false
      const left = Math.max(0, most - used[unit])
      return more > left || more >= Math.min(WORTH_NOTING * most, OF_THE_REST * left)
    }),
  )
}

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

/** Parses amounts such as `usd=20` or `tokens: 2,000,000`; null where an amount cannot be parsed. */
export function amountsIn(text: string): Limit | null {
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

/** What a plan asked the brain, and what that cost. */
export interface Thinking {
  /** Questions for which a model is configured. */
  readonly calls: number
  /** Requests to the model, retries included. */
  readonly requests: number
  /** Questions that nobody judged instead. */
  readonly fallbacks: number
  readonly spent: Spent
}

export const NO_THINKING: Thinking = Object.freeze({
  calls: 0,
  requests: 0,
  fallbacks: 0,
  spent: NOTHING_SPENT,
})
