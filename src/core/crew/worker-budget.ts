/** What one worker may use. Its supervisor holds it to that, with or without the daemon. */
import type { Usage } from '../event-schemas/schemas.ts'
import { overrun, spentOf, type WorkerBudget } from '../state/spending.ts'
import { priceUsage } from './price-usage.ts'

/** The amount that exceeds the budget, as text; null within the budget. */
export const overBudget = (usage: Usage, budget: WorkerBudget, agent: string): string | null =>
  overrun(spentOf(priceUsage(usage, { prices: budget.prices, agent })), budget)
