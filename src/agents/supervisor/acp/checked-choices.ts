/** Whether agents take the models and efforts that the settings name, found out before work begins. */
import { chooseAgent, type AgentTable } from '../../agent-table.ts'
import { requiredRoles } from '../../required-agents.ts'
import { notSettable, sessionChoice, withChoice, type Choice } from '../../with-choice.ts'
import type { Role } from '../../../core/event-schemas/schemas.ts'
import { agentVariables, possibleAgents } from '../../../core/settings/agent-variables.ts'
import { roleSetting } from '../../../core/settings/role-settings.ts'
import type { Settings } from '../../../core/settings/settings.ts'
import { builtEnvironment } from '../../../lib/process/built-environment.ts'
import { AgentUnavailable } from '../../../ports/agent.ts'

export interface ChoicePlace {
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

/** Asks only agents for which the settings name a model or an effort. */
export async function checkedChoices(
  settings: ChoiceSettings,
  table: AgentTable,
  place: ChoicePlace,
): Promise<readonly CheckedChoice[]> {
  const asked = new Map<string, Promise<readonly CheckedChoice[]>>()
  for (const role of requiredRoles(table)) {
    for (const choice of wantedOf(settings, role)) {
      const agent = table.roles[role] ?? table.fallback
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
    const { choiceRefusal } = await import('./check-choice.ts')
    const why = await choiceRefusal({
      command: [...agent.command, ...(chosen.choiceArguments ?? [])],
      env: builtEnvironment(env, { ...variables, ...agent.env }),
      choice: session,
      authenticate: agent.acp?.authenticate ?? null,
    })
    return why === null ? ignored : [...ignored, { kind: 'refused', message: `${agent.name}: ${why}` }]
  } catch (error) {
    // An agent that is missing is reported as such.
    if (error instanceof AgentUnavailable) return []
    throw error
  }
}
