/** The agents that a plan requires, and which of them are unavailable. */
import type { Role } from '../core/event-schemas/schemas.ts'
import { BY_RULES } from '../core/settings/plan-settings.ts'
import { AgentUnavailable } from '../ports/agent.ts'
import { chooseAgent, type AgentTable } from './agent-table.ts'

/** The roles that every plan requires. */
const REQUIRED: readonly Role[] = ['developer', 'fixer', 'reviewer']
const OCCASIONAL: readonly Role[] = ['architect', 'designer', 'tester']

/** Also those that only some tasks need, where the settings name an agent for them. */
export const requiredRoles = ({ roles }: Pick<AgentTable, 'roles'>): readonly Role[] => [
  ...REQUIRED,
  ...OCCASIONAL.filter((role) => roles[role] !== undefined),
]

/** One line for each role whose agent is unknown or cannot be run; roles with the same agent share a line. */
export async function unavailableAgents(
  table: AgentTable,
  where: { readonly root: string; readonly path: string },
  required: readonly Role[] = requiredRoles(table),
): Promise<readonly AgentUnavailable[]> {
  const byRules = table.roles.reviewer === BY_RULES && !Object.hasOwn(table.agents, BY_RULES)
  const missing = new Map<string, AgentUnavailable>()
  for (const role of required) {
    if (role === 'reviewer' && byRules) continue
    const agent = table.roles[role] ?? table.fallback
    if (missing.has(agent)) continue
    try {
      await chooseAgent(table, role, where)
    } catch (error) {
      if (!(error instanceof AgentUnavailable)) throw error
      missing.set(agent, error)
    }
  }
  return [...missing.values()]
}
