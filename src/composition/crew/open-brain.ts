/** The brain that a repository's settings name: the coding agent that works there, unless they name another. */
import { join } from 'node:path'
import type { AgentSessions } from '../../agents/asking/agent-sessions.ts'
import type { AgentTable, ChosenAgent } from '../../agents/agent-table.ts'
import { configuredBrain, type BrainAgent } from '../../brain/configured-brain.ts'
import { agentVariables, possibleAgents } from '../../core/settings/agent-variables.ts'
import { NO_AGENT } from '../../core/settings/brain-description.ts'
import { brainModels } from '../../core/settings/brain-settings.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { builtEnvironment } from '../../lib/process/built-environment.ts'
import { systemClock } from '../../lib/system/system-clock.ts'
import { AgentUnavailable } from '../../ports/agent.ts'
import type { Brain, BrainServices, Model } from '../../ports/brain.ts'
import type { AgentSignIn } from '../../ports/machine.ts'
import type { AgentPlace } from './agents-here.ts'

export interface BrainPlace extends Pick<AgentPlace, 'scripted' | 'finder'> {
  readonly settings: Settings
  /** The state root. */
  readonly root: string
  /** The work tree of the repository. */
  readonly repository: string
  /** Of the user, with the variables that agents and the brain take; read when it is needed. */
  readonly env: () => Readonly<Record<string, string | undefined>>
  /** Null where no agent may be asked: in a dry run. */
  readonly sessions: AgentSessions | null
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
    agent: () => brainAgent(place),
  })
}

type Env = Readonly<Record<string, string | undefined>>

const none = (why: string): BrainAgent => ({ name: null, why })

/** The agent of the architect's role, else the one that works. */
async function brainAgent(place: BrainPlace): Promise<BrainAgent> {
  const { settings, root, repository, finder, sessions } = place
  if (sessions === null) return none('a dry run asks no agent')
  const [{ agentsOf }, { chooseAgent }] = await Promise.all([
    import('./agents-here.ts'),
    import('../../agents/agent-table.ts'),
  ])
  const env = place.env()
  const table = await agentsOf(settings, { ...place, root: repository, state: root, env })
  const role = table.roles.architect === undefined ? 'developer' : 'architect'
  try {
    const agent = await chooseAgent(table, role, { root: repository, path: env['PATH'] ?? '' })
    const refused = notAsked(agent, table, settings)
    if (refused !== null) return none(refused)
    const isKnown = !Object.hasOwn(settings.agents, agent.name)
    const signIn = isKnown ? await finder.signInOf(agent.name, env) : null
    if (signIn?.by === 'none') return none(`${agent.name} is not signed in`)
    const open = () => modelOf({ agent, signIn, env, sessions }, place)
    return { name: agent.name, cost: costOf(signIn), open }
  } catch (error) {
    if (!(error instanceof AgentUnavailable)) throw error
    return none(error.message)
  }
}

/** Why an agent is not asked; null where it is. */
function notAsked(
  { name, protocol, prints, otherwise }: ChosenAgent,
  { agents }: AgentTable,
  settings: Settings,
): string | null {
  if (protocol === 'acp') return null
  const isOwn = Object.hasOwn(settings.agents, name)
  const isNamed = settings.brain.provider === 'agent' && isOwn
  if (isNamed && (prints === undefined || prints === 'text')) return null
  if (prints === 'unmetered' && agents[name]?.prints === 'unmetered') return NO_AGENT
  if (isOwn) return `${name} is a command; it answers questions only with brain.provider: agent`
  return otherwise === undefined
    ? `${name} does not speak the Agent Client Protocol here yet: bosun crew install ${name}`
    : `${name} does not speak the Agent Client Protocol here`
}

const costOf = (signIn: AgentSignIn | null): string =>
  signIn?.by === 'subscription' ? 'unknown (its subscription)' : 'unknown before it answers'

async function modelOf(
  {
    agent,
    signIn,
    env,
    sessions,
  }: {
    readonly agent: ChosenAgent
    readonly signIn: AgentSignIn | null
    readonly env: Env
    readonly sessions: AgentSessions
  },
  { settings, root, repository }: BrainPlace,
): Promise<Model> {
  const [{ AgentModel }, { CommandModel }, { makeReadingPlace }] = await Promise.all([
    import('../../agents/asking/agent-model.ts'),
    import('../../agents/asking/command-model.ts'),
    import('./reading-place.ts'),
  ])
  const variables = agentVariables(possibleAgents(settings), env)[agent.name]
  const options = {
    agent,
    env: builtEnvironment(env, { ...variables, ...agent.env }),
    sessions,
    repository,
    makePlace: () => makeReadingPlace({ root, repository, env }),
  }
  if (agent.protocol === 'command') return new CommandModel(options)
  const models = brainModels(settings.brain) ?? { small: null, large: null }
  return new AgentModel({ ...options, models, hasSubscription: signIn?.by === 'subscription' })
}
