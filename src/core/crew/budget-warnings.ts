/** Which budgets could not hold, because the agents that do the work do not report what they use. */
import type { PlanSettings } from '../event-schemas/plan-settings.ts'

/** What an agent reports of its usage. */
export interface UsageReports {
  readonly agent: string
  /** `some`: Bosun estimates the rest. */
  readonly tokens: 'all' | 'some' | 'none'
  readonly usd: boolean
}

export interface BudgetWarning {
  readonly message: string
  readonly remedy: string
}

export function budgetWarnings(
  { budgets, prices = {} }: Pick<PlanSettings, 'budgets' | 'prices'>,
  agents: readonly UsageReports[],
): readonly BudgetWarning[] {
  const isSet = (limit: number | null | undefined): boolean => limit !== null && limit !== undefined
  const inMoney = isSet(budgets?.planUsd) || isSet(budgets?.taskUsd)
  const inTokens = isSet(budgets?.planTokens) || isSet(budgets?.taskTokens)
  // A price that is not of an agent may be of any model.
  const names = agents.map(({ agent }) => agent)
  const hasModelPrice = Object.keys(prices).some((name) => !names.includes(name))
  return agents.flatMap(({ agent, tokens, usd }) => {
    const isPriced = usd || hasModelPrice || Object.hasOwn(prices, agent)
    return [
      ...(inMoney && !isPriced
        ? [
            {
              message: `${agent} reports no costs, so a budget in US dollars does not limit it`,
              remedy: `Set prices.${agent} in bosun.yaml, or a budget in tokens.`,
            },
          ]
        : []),
      ...((inTokens || (inMoney && isPriced && !usd)) && tokens !== 'all'
        ? [
            {
              message: `${agent} reports ${tokens === 'none' ? 'no tokens' : 'only part of its tokens'}: its usage is estimated from the sizes of texts, and a budget holds only roughly`,
              remedy: 'Leave some room in the budget.',
            },
          ]
        : []),
    ]
  })
}
