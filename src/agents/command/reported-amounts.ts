/** Amounts as an agent reports them: those that cannot be true count as absent, and the reader is given a note. */
import { tokensFrom, usdFrom } from '../../core/event-schemas/amounts.ts'

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
