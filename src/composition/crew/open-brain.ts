/** The brain that a repository's settings name, with the agents of this machine. */
import { join } from 'node:path'
import { configuredBrain } from '../../brain/configured-brain.ts'
import { agentVariables, possibleAgents } from '../../core/settings/agent-variables.ts'
import { brainModels } from '../../core/settings/brain-settings.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { builtEnvironment } from '../../lib/process/built-environment.ts'
import { systemClock } from '../../lib/system/system-clock.ts'
import { AgentUnavailable } from '../../ports/agent.ts'
import { ModelError, type Brain, type BrainServices, type Model } from '../../ports/brain.ts'
import type { AgentPlace } from './agents-here.ts'

export interface BrainPlace extends Pick<AgentPlace, 'scripted' | 'finder'> {
  readonly settings: Settings
  /** The state root. */
  readonly root: string
  /** The work tree of the repository. */
  readonly repository: string
  /** Of the user, with the variables that agents and the brain take; read when it is needed. */
  readonly env: () => Readonly<Record<string, string | undefined>>
}

/** Nothing of a model is loaded before the first question. */
export function openBrain(place: BrainPlace): Brain & BrainServices {
  const { settings, root, repository, env } = place
  return configuredBrain({
    settings,
    env,
    folder: repository,
    clock: systemClock,
    usageFile: join(root, 'brain-usage.jsonl'),
    agent: () => agentModel(place),
  })
}

/** The agent of the architect's role, else the one that works where no role is named. */
async function agentModel({ settings, root, repository, env, ...machine }: BrainPlace): Promise<Model> {
  const [{ agentsOf }, { chooseAgent }, { AgentModel }] = await Promise.all([
    import('./agents-here.ts'),
    import('../../agents/agent-table.ts'),
    import('../../agents/asking/agent-model.ts'),
  ])
  const now = env()
  try {
    const table = await agentsOf(settings, { ...machine, root: repository, state: root, env: now })
    const agent = await chooseAgent(table, 'architect', { root: repository, path: now['PATH'] ?? '' })
    if (agent.protocol !== 'acp') throw new AgentUnavailable(notSpoken(agent.name))
    const variables = agentVariables(possibleAgents(settings), now)[agent.name]
    return new AgentModel({
      agent,
      env: builtEnvironment(now, { ...variables, ...agent.env }),
      models: brainModels(settings.brain) ?? { small: null, large: null },
    })
  } catch (error) {
    if (!(error instanceof AgentUnavailable)) throw error
    throw new ModelError(`brain.provider: agent: ${error.message}`, { kind: 'refused' })
  }
}

const notSpoken = (name: string): string =>
  `${name} does not speak the Agent Client Protocol here (\`bosun crew\` shows which agents do)`
