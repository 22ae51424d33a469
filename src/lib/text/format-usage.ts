/** Tokens and money for people. An estimate is marked as one. */
export interface UsageRow {
  readonly tokens: number
  readonly tokens_in: number
  readonly tokens_out: number
  readonly tokens_cached: number
  readonly usd: number | null
  readonly tokens_estimated: number
  readonly tokens_unpriced: number
}

const count = (tokens: number): string => String(Math.round(tokens)).replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** `$1.20 and 34,000 tokens (30,000 in, 20,000 of them cached; 4,000 out)`. */
export function usageText(usage: UsageRow): string {
  const { tokens, tokens_in, tokens_out, tokens_cached, usd } = usage
  const cached = tokens_cached === 0 ? '' : `, ${count(tokens_cached)} of them cached`
  const notes = [
    ...(tokens_in + tokens_out === 0 ? [] : [`${count(tokens_in)} in${cached}`, `${count(tokens_out)} out`]),
    ...notesOf(usage),
  ]
  return `${amounts({ tokens, usd })}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
}

/** `$1.20, 34,000 tokens (estimated)`. */
export const shortUsage = (usage: UsageRow): string => {
  const notes = notesOf(usage)
  return `${amounts(usage)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
}

const amounts = ({ tokens, usd }: Pick<UsageRow, 'tokens' | 'usd'>): string => {
  const money = formatUsd(usd)
  const parts = [...(money === null ? [] : [money]), ...(tokens > 0 ? [`${count(tokens)} tokens`] : [])]
  return parts.join(', ') || 'nothing known'
}

/** Null where no money is known, or none was spent: that is never shown as an amount. */
export function formatUsd(usd: number | null): string | null {
  if (usd === null || usd === 0) return null
  return usd < 0.01 ? 'under $0.01' : `$${usd.toFixed(2)}`
}

function notesOf({ tokens, usd, tokens_estimated, tokens_unpriced }: UsageRow): readonly string[] {
  const isPartly = tokens_estimated < tokens
  return [
    ...(tokens_estimated === 0 ? [] : [isPartly ? 'partly estimated' : 'estimated']),
    ...(usd === null || tokens_unpriced === 0 ? [] : [`${count(tokens_unpriced)} without a price`]),
  ]
}
