/** What the agents of a plan report of their usage. */
import type { UsageReports } from '../core/crew/budget-warnings.ts'
import type { AgentProfile, AgentTable } from './agent-table.ts'
import { requiredRoles } from './required-agents.ts'

/** Of those that work for a plan, each once. One that uses no model needs to report nothing. */
export function usageReports(table: AgentTable): readonly UsageReports[] {
  const names = new Set(requiredRoles(table).map((role) => table.roles[role] ?? table.fallback))
  return [...names].flatMap((agent) => {
    const profile = Object.hasOwn(table.agents, agent) ? table.agents[agent] : undefined
    if (profile === undefined || profile.prints === 'unmetered') return []
    return [{ agent, tokens: tokensOf(profile), usd: profile.reportsCost === true }]
  })
}

function tokensOf({ protocol, acp, prints = 'text' }: AgentProfile): UsageReports['tokens'] {
  if (protocol === 'command') return prints === 'text' ? 'none' : 'all'
  const usage = acp?.usage ?? 'none'
  if (usage === 'none') return 'none'
  return usage === 'last_step' ? 'some' : 'all'
}
