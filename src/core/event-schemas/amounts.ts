/**
 * Tokens and costs as agents and models report them. They are added up and recorded, so what is no number, or too large to
 * be true, counts as not reported. Supervisors load this as well, so it brings nothing along.
 */
const MOST_TOKENS = 1_000_000_000_000
const MOST_USD = 1_000_000_000

/** Null for what is no count of tokens. */
export const tokensFrom = (value: unknown): number | null => amountFrom(value, MOST_TOKENS)

/** Null for what is no cost in US dollars. */
export const usdFrom = (value: unknown): number | null => amountFrom(value, MOST_USD)

const amountFrom = (value: unknown, most: number): number | null =>
  typeof value === 'number' && value >= 0 && value <= most ? value : null
