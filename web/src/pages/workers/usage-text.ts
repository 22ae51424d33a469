/** Tokens and money, as people read them. */
import type { UsageRow } from '../../../../src/protocol/answers.ts'
import { formatUsd } from '../../../../src/lib/text/format-usage.ts'
import { formatCount } from '../../ui/format.ts'

/** "412k tokens, $1.20"; a part without a price and an estimate are named. */
export function usageText(usage: UsageRow | null): string | null {
  if (usage === null || usage.tokens === 0) return null
  const money = formatUsd(usage.usd)
  const isPart = money !== null && usage.tokens_unpriced > 0
  const estimated = usage.tokens_estimated > 0 ? ' (estimated)' : ''
  return `${formatCount(Math.round(usage.tokens))} tokens${estimated}${money === null ? '' : `, ${money}${isPart ? ' for a part of them' : ''}`}`
}

/** What the numbers count, for a tooltip. */
export function usageRule(usage: UsageRow): string {
  const whole = (tokens: number): string => Math.round(tokens).toLocaleString('en')
  return [
    `${whole(usage.tokens_in)} in, ${whole(usage.tokens_cached)} of them from a cache; ${whole(usage.tokens_out)} out`,
    ...(usage.tokens_estimated > 0
      ? [`${whole(usage.tokens_estimated)} are estimated, since the agent does not report them`]
      : []),
    usage.usd === null
      ? 'no price is known'
      : usage.tokens_unpriced > 0
        ? `${whole(usage.tokens_unpriced)} have no price and are not in the amount`
        : 'priced in full',
  ].join('; ')
}
