/** Amounts as an agent reports them: those that cannot be true count as absent, and the reader is given a note. */
import { tokensFrom, usdFrom } from '../../core/event-schemas/amounts.ts'
import type { SessionUsage } from '../../ports/agent.ts'

type OnRefused = (what: string) => void

let onRefused: OnRefused | null = null

/** Reads something of an agent at once, and says which amounts in it were refused. */
export function readingAmounts<T>(read: () => T, refused: OnRefused): T {
  const before = onRefused
  onRefused = refused
  try {
    return read()
  } finally {
    onRefused = before
  }
}

export const reportedTokens = (value: unknown): number | null => told(value, tokensFrom(value), 'tokens')
export const reportedUsd = (value: unknown): number | null => told(value, usdFrom(value), 'cost')

const SHOWN = 40

function told(value: unknown, amount: number | null, what: string): number | null {
  if (amount === null && value !== null && value !== undefined)
    onRefused?.(`not counted: ${(JSON.stringify(value) ?? typeof value).slice(0, SHOWN)} as ${what}`)
  return amount
}

export interface Amounts {
  readonly in: number | null
  readonly out: number | null
  readonly cached: number | null
  readonly usd: number | null
}

export const NO_AMOUNTS: Amounts = { in: null, out: null, cached: null, usd: null }

export const plus = (a: Amounts, b: Amounts): Amounts => ({
  in: sum(a.in, b.in),
  out: sum(a.out, b.out),
  cached: sum(a.cached, b.cached),
  usd: sum(a.usd, b.usd),
})

export const tokensOf = (amounts: Amounts): number => (amounts.in ?? 0) + (amounts.out ?? 0)

export const sum = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : a + b

/** Fewer tokens are no news while an agent works, nor is less than this part of the sum. */
const MIN_NEWS = 50
const NEWS = 0.02

/** Every cost is, and tokens in small steps. */
export function isNews(noted: SessionUsage | null, now: SessionUsage): boolean {
  if (noted === null || now.usd !== noted.usd) return true
  const tokens = ({ tokensIn, tokensOut }: SessionUsage): number => (tokensIn ?? 0) + (tokensOut ?? 0)
  return Math.abs(tokens(now) - tokens(noted)) >= Math.max(MIN_NEWS, NEWS * tokens(noted))
}
