/** The agents that a plan requires, and what is wrong with them before work begins: each check goes through all of them. */
import type { Role } from '../core/event-schemas/schemas.ts'
import { BY_RULES } from '../core/settings/plan-settings.ts'
import { AgentUnavailable } from '../ports/agent.ts'
import type { Settings } from '../core/settings/settings.ts'
import { inherits, roleSetting } from '../core/settings/role-settings.ts'
import type { UsageReports } from '../core/crew/price-usage.ts'
import { agentVariables, possibleAgents } from '../core/settings/agent-variables.ts'
import { builtEnvironment } from '../lib/process/built-environment.ts'
import { chooseAgent, type AgentTable, type AgentProfile } from './agent-table.ts'
import { notSettable, sessionChoice, withChoice, type Choice } from './with-choice.ts'

/** The roles that every plan requires. */
const REQUIRED: readonly Role[] = ['developer', 'fixer', 'reviewer']
const OCCASIONAL: readonly Role[] = ['architect', 'designer', 'tester']

/** Also those that only some tasks need, where the settings name an agent for them. */
export const requiredRoles = ({ roles }: Pick<AgentTable, 'roles'>): readonly Role[] => [
  ...REQUIRED,
  ...OCCASIONAL.filter((role) => roles[role] !== undefined),
]

const agentOf = (table: AgentTable, role: Role): string => table.roles[role] ?? table.fallback

/** Null for an agent that is unknown, or uses no model. */
function modelProfile({ agents }: AgentTable, name: string): AgentProfile | null {
  const profile = Object.hasOwn(agents, name) ? agents[name] : undefined
  return profile === undefined || profile.prints === 'unmetered' ? null : profile
}

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
    const agent = agentOf(table, role)
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

/** What `inherit: false` cannot turn off, a line for each agent. */
export function inheritWarnings(
  settings: Pick<Settings, 'roles' | 'agents'>,
  table: AgentTable,
): readonly { readonly message: string; readonly remedy: string }[] {
  const bare = requiredRoles(table).flatMap((role) => {
    const agent = agentOf(table, role)
    return inherits(settings, { role, agent }) ? [] : [agent]
  })
  return [...new Set(bare)].flatMap((agent) => {
    const profile = modelProfile(table, agent)
    if (profile === null) return []
    const keeps = profile.bare?.keeps ?? null
    if (keeps?.length === 0) return []
    const what =
      keeps === null
        ? `Bosun knows no way to run ${agent} without your own set-up`
        : `${agent} cannot be run without your own ${andJoined(keeps.map((part) => (part === 'mcp' ? 'MCP servers' : part)))}`
    return [{ message: `inherit: false: ${what}`, remedy: 'Use another agent for the role, or accept it.' }]
  })
}

const andJoined = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

/** What the agents report of their usage, each once. One that uses no model needs to report nothing. */
export function usageReports(table: AgentTable): readonly UsageReports[] {
  const names = new Set(requiredRoles(table).map((role) => agentOf(table, role)))
  return [...names].flatMap((agent) => {
    const profile = modelProfile(table, agent)
    if (profile === null) return []
    return [{ agent, tokens: tokensOf(profile), usd: profile.reportsCost === true }]
  })
}

function tokensOf({ protocol, acp, prints = 'text' }: AgentProfile): UsageReports['tokens'] {
  if (protocol === 'command') return prints === 'text' ? 'none' : 'all'
  const usage = acp?.usage ?? 'none'
  if (usage === 'none') return 'none'
  return usage === 'last_step' ? 'some' : 'all'
}

interface ChoicePlace {
  /** The folder the settings stand in. */
  readonly root: string
  /** The user's, with the variables that agents take. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** `refused`: the agent has no such model or effort. `ignored`: it cannot be given one, and works with its own. */
export interface CheckedChoice {
  readonly kind: 'refused' | 'ignored'
  readonly message: string
}

type ChoiceSettings = Pick<Settings, 'agents' | 'roles' | 'models'>

/** Whether agents take the models and efforts that the settings name. No other agents are asked. */
export async function checkedChoices(
  settings: ChoiceSettings,
  table: AgentTable,
  place: ChoicePlace,
): Promise<readonly CheckedChoice[]> {
  const asked = new Map<string, Promise<readonly CheckedChoice[]>>()
  for (const role of requiredRoles(table)) {
    for (const choice of wantedOf(settings, role)) {
      const agent = agentOf(table, role)
      const key = JSON.stringify([agent, choice])
      if (!asked.has(key)) asked.set(key, checked(role, choice, { settings, table, place }))
    }
  }
  return (await Promise.all(asked.values())).flat()
}

/** The models of `models` are meant for roles without one of their own. */
function wantedOf({ roles, models }: ChoiceSettings, role: Role): readonly Choice[] {
  const { model, effort: level } = roleSetting(roles[role])
  const effort = level === null ? null : ({ level, by: 'settings' } as const)
  const sizes = [models.small, models.large].filter((one) => one !== null)
  const named = model === null ? sizes : [model]
  if (named.length > 0) return named.map((one) => ({ model: one, effort }))
  return effort === null ? [] : [{ model: null, effort }]
}

async function checked(
  role: Role,
  choice: Choice,
  { settings, table, place }: { settings: ChoiceSettings; table: AgentTable; place: ChoicePlace },
): Promise<readonly CheckedChoice[]> {
  const { root, env } = place
  try {
    const agent = await chooseAgent(table, role, { root, path: env['PATH'] ?? '' })
    const ignored = notSettable(agent, choice).map((message) => ({ kind: 'ignored', message }) as const)
    const chosen = withChoice(agent, choice)
    const session = sessionChoice(chosen)
    if (agent.protocol !== 'acp' || (session.model === null && session.effort === null)) return ignored
    const variables = agentVariables(possibleAgents(settings), env)[agent.name]
    const { askedAgent, choiceRefusal } = await import('./asking/asked-session.ts')
    const built = builtEnvironment(env, { ...variables, ...agent.env })
    const why = await choiceRefusal(askedAgent(chosen, built))
    return why === null ? ignored : [...ignored, { kind: 'refused', message: `${agent.name}: ${why}` }]
  } catch (error) {
    // An agent that is missing is reported as such.
    if (error instanceof AgentUnavailable) return []
    throw error
  }
}
