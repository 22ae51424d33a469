/** What the head of a plan says about money, merging and state, in a line each. */
import type { PlanRow } from '../../../../../src/protocol/answers.ts'
import type { BudgetAnswer, ForecastAnswer } from '../../../../../src/protocol/plan-views.ts'
import { formatUsd } from '../../../../../src/lib/text/format-usage.ts'
import { formatCount } from '../../../ui/format.ts'

/** `1.9M tokens · $3.40 of $20.00`: tokens first, money only where prices are known; null before anything was used. */
export function budgetLine({ usage, limits }: BudgetAnswer): string | null {
  const tokens = limitOf(limits, 'plan_tokens')
  const usd = limitOf(limits, 'plan_usd')
  const spent = formatUsd(usage.usd)
  const parts = [
    `${formatCount(usage.tokens)}${tokens === null ? '' : ` of ${formatCount(tokens)}`} tokens`,
    ...(spent === null && usd === null
      ? []
      : [usd === null ? `${spent}` : `${spent ?? 'nothing'} of $${usd.toFixed(2)}`]),
    ...(spent !== null && usage.tokens_unpriced > 0
      ? [`${formatCount(usage.tokens_unpriced)} without a known price`]
      : []),
  ]
  return usage.tokens === 0 && spent === null && tokens === null && usd === null ? null : parts.join(' · ')
}

/** What the brain used of it; null where no model was asked and it has no limit. */
export function brainLine({ thinking, limits }: BudgetAnswer): string | null {
  const most = limitOf(limits, 'brain_usd')
  if (thinking === null && most === null) return null
  const spent = formatUsd(thinking?.usage.usd ?? null)
  const money = most === null ? spent : `${spent ?? 'nothing'} of $${most.toFixed(2)}`
  const tokens = thinking === null ? [] : [`${formatCount(thinking.usage.tokens)} tokens`]
  return `brain: ${[...tokens, ...(money === null ? [] : [money])].join(' · ')}`
}

const limitOf = (limits: BudgetAnswer['limits'], of: string): number | null =>
  limits.find((limit) => limit.of === of)?.limit ?? null

/** The part of a limit that is used, from 0; null without a limit. */
export function budgetUsed({ limits }: BudgetAnswer): number | null {
  const parts = limits.flatMap(({ used, limit }) => (used === null || limit === 0 ? [] : [used / limit]))
  return parts.length === 0 ? null : Math.max(...parts)
}

export const forecastIsBad = (forecast: ForecastAnswer['forecast']): boolean =>
  forecast !== null && forecast.kind !== 'unmoved' && forecast.kind !== 'clean'

export const STATE_WORDS: Readonly<Record<PlanRow['state'], string>> = {
  running: 'Running',
  waiting: 'Waiting',
  deadlocked: 'Stuck',
  paused: 'Paused',
  done: 'Done',
  damaged: 'Damaged',
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
