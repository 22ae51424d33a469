/** What a plan used against its limits, and which tasks used most. */
import { usedBy } from '../../core/state/spending.ts'
import type { PlanState } from '../../core/state/state.ts'
import { usageRecord } from '../../core/state/usage-record.ts'
import type { BudgetAnswer } from '../../protocol/plan-views.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { readDocument } from '../host/plan-place.ts'

type SetLimit = BudgetAnswer['limits'][number]

const MOST_TASKS = 10

/** The limit of the brain is in the settings that the plan was registered with. */
export async function planBudget(host: HostToRead, { id, state, home }: HostedPlan): Promise<BudgetAnswer> {
  const document = await readDocument(host.parts.log, home.stream, state.documentedAt)
  const { calls, requests, fallbacks, spent } = state.thinking
  return {
    plan: id,
    usage: usageRecord(state.spending.total),
    limits: limitsOf(state, document?.settings.brain.budget_usd ?? null),
    thinking: calls === 0 ? null : { calls, requests, fallbacks, usage: usageRecord(spent) },
    tasks: costliest(state),
  }
}

function limitsOf({ spending, thinking }: PlanState, brainUsd: number | null): SetLimit[] {
  const { limit, taskLimit, total } = spending
  const all = [
    { of: 'plan_usd', limit: limit.usd, used: total.usd },
    { of: 'plan_tokens', limit: limit.tokens, used: total.tokens },
    { of: 'task_usd', limit: taskLimit.usd, used: null },
    { of: 'task_tokens', limit: taskLimit.tokens, used: null },
    { of: 'brain_usd', limit: brainUsd, used: thinking.spent.usd },
  ] as const
  return all.flatMap(({ limit: most, ...rest }) => (most === null ? [] : [{ ...rest, limit: most }]))
}

function costliest({ tasks }: PlanState): BudgetAnswer['tasks'] {
  return [...tasks.values()]
    .map((task) => ({ task, used: usedBy(task) }))
    .filter(({ used }) => used.tokens > 0 || used.usd > 0)
    .toSorted((a, b) => b.used.usd - a.used.usd || b.used.tokens - a.used.tokens)
    .slice(0, MOST_TASKS)
    .map(({ task, used }) => ({ id: task.spec.id, title: task.spec.title, usage: usageRecord(used) }))
}
