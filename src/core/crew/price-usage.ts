/** What tokens cost where the agent does not say so: by the prices that the user gives, and unknown without them. */
import type { Price, PlanSettings } from '../event-schemas/plan-settings.ts'
import type { Usage } from '../event-schemas/schemas.ts'
import { overrun, spentOf, type WorkerBudget } from '../state/spending.ts'

export interface Priced {
  readonly prices: Readonly<Record<string, Price>> | undefined
  readonly agent: string | null
}

/** With the cost as the agent reports it, else by the price of its model, else by that of the agent. */
export function priceUsage(usage: Usage, { prices = {}, agent }: Priced): Usage {
  const tokens = (usage.tokensIn ?? 0) + (usage.tokensOut ?? 0)
  // Agents that do not know a price report zero.
  const isReported = usage.usd !== null && (usage.usd > 0 || tokens === 0)
  if (isReported) return usage
  const price = priceIn(prices, usage.model) ?? priceIn(prices, agent)
  return { ...usage, usd: price === null ? null : costAt(price, usage) }
}

function priceIn(prices: Readonly<Record<string, Price>>, name: string | null | undefined): Price | null {
  if (name === null || name === undefined) return null
  return Object.hasOwn(prices, name) ? (prices[name] ?? null) : null
}

function costAt({ input, output, cached = input }: Price, usage: Usage): number {
  const tokensIn = usage.tokensIn ?? 0
  const fromCache = Math.min(usage.tokensCached ?? 0, tokensIn)
  const all = (tokensIn - fromCache) * input + fromCache * cached + (usage.tokensOut ?? 0) * output
  return all / 1_000_000
}

/** The amount that exceeds the budget of a worker, as text; null within the budget. */
export const overBudget = (usage: Usage, budget: WorkerBudget, agent: string): string | null =>
  overrun(spentOf(priceUsage(usage, { prices: budget.prices, agent })), budget)

/** What an agent reports of its usage. */
export interface UsageReports {
  readonly agent: string
  /** `some`: Bosun estimates the rest. */
  readonly tokens: 'all' | 'some' | 'none'
  readonly usd: boolean
}

interface BudgetWarning {
  readonly message: string
  readonly remedy: string
}

/** Which budgets could not hold, because the agents that do the work do not report what they use. */
export function budgetWarnings(
  { budgets, prices = {} }: Pick<PlanSettings, 'budgets' | 'prices'>,
  agents: readonly UsageReports[],
): readonly BudgetWarning[] {
  const inMoney = budgets.planUsd !== null || budgets.taskUsd !== null
  const inTokens = budgets.planTokens !== null || budgets.taskTokens !== null
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
