/** The brain that a repository's settings name: the coding agent that works there, unless they name another. */
import { join } from 'node:path'
import { AgentSessions } from '../../agents/asking/agent-sessions.ts'
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
import type { AgentSignIn, BrainFound, FoundAgent } from '../../ports/machine.ts'
import type { AgentPlace } from './plan-agents.ts'
import { mkdir, mkdtemp, readdir } from 'node:fs/promises'
import type { ReadingPlace } from '../../agents/asking/asked-session.ts'
import { removeFolder } from '../../lib/files/remove-folder.ts'
import { identify } from '../../lib/process/processes.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import { Refusal } from '../../lib/refusal.ts'
import { Git, surroundingsIn } from '../../workspaces/git/git.ts'
import { BorrowedRepository } from '../../workspaces/landing/release-repository.ts'
import { AgentFinder } from '../../agents/profiles/find-agents.ts'
import { placesOfAgents } from '../../agents/agent-state.ts'
import { adaptersFolder } from '../../agents/profiles/profile-of.ts'
import type { WallsFor } from '../../ports/sandbox.ts'
import { openSandbox } from '../../sandbox/open-sandbox.ts'

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
  /** Of the secrets that answers could hold; none are held if absent. */
  readonly hide?: Redactor | undefined
}

/** Nothing of a model is loaded before the first question. */
export function openBrain(place: BrainPlace): Brain & BrainServices {
  const { settings, root, repository, env, hide } = place
  return configuredBrain({
    settings,
    hide,
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
    import('./plan-agents.ts'),
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
    const open = () => modelOf(agent, signIn, { ...place, env, sessions })
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
  agent: ChosenAgent,
  signIn: AgentSignIn | null,
  place: Omit<BrainPlace, 'env' | 'sessions'> & { readonly env: Env; readonly sessions: AgentSessions },
): Promise<Model> {
  const { settings, root, repository, env, sessions } = place
  const [{ AgentModel }, { CommandModel }] = await Promise.all([
    import('../../agents/asking/agent-model.ts'),
    import('../../agents/asking/command-model.ts'),
  ])
  const variables = agentVariables(possibleAgents(settings), env)[agent.name]
  const options = {
    agent,
    env: builtEnvironment(env, { ...variables, ...agent.env }),
    sessions,
    repository,
    makePlace: () => makeReadingPlace({ settings, root, repository, env }),
  }
  if (agent.protocol === 'command') return new CommandModel(options)
  const models = brainModels(settings.brain) ?? { small: null, large: null }
  return new AgentModel({ ...options, models, hasSubscription: signIn?.by === 'subscription' })
}

/**
 * A throw-away checkout of a repository's newest commit, in which an agent looks around to answer a question. It has no remote, and
 * nothing is written to the repository. An empty folder where there is no commit to show.
 */
async function makeReadingPlace(
  place: Pick<BrainPlace, 'root' | 'repository' | 'settings'> & { readonly env: Env },
): Promise<ReadingPlace> {
  const { root, repository, env } = place
  const folder = join(root, 'asking')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeLeft(folder)
  const prefix = join(folder, `${process.pid}-`)
  await using undo = new AsyncDisposableStack()
  const git = undo.adopt(new Git(surroundingsIn(env)), (one) => one.close())
  const borrowed = await BorrowedRepository.open(git, repository, prefix).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  if (borrowed === null) {
    const path = await mkdtemp(prefix)
    // Once there is a commit, that is shown.
    return {
      path,
      walls: await readingWalls(place),
      isCurrent: async () => false,
      remove: () => removeFolder(path),
    }
  }
  undo.defer(() => borrowed.close())
  const { commit, tree } = borrowed.base
  const { path } = await borrowed.checkout(tree, commit)
  const walls = await readingWalls(place)
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']
  const isCurrent = async () =>
    (await git.lineOrNull({ args, cwd: borrowed.root, settings: 'user' })) === commit
  const placed = undo.move()
  return { path, walls, isCurrent, remove: () => placed.disposeAsync() }
}

/** It reads the copy, and may write nothing that lasts but what its agent keeps. */
async function readingWalls({
  settings,
  root,
  repository,
  env,
}: Pick<BrainPlace, 'root' | 'repository' | 'settings'> & { readonly env: Env }): Promise<WallsFor> {
  const sandbox = await openSandbox(settings.sandbox, { root, env, hidden: placesOfAgents(env) })
  const always = [repository, adaptersFolder(root)]
  return (own) => sandbox.wall({ network: 'open', ...own, readable: [...always, ...(own.readable ?? [])] })
}

/** Of a process that was killed. */
async function removeLeft(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => identify(Number.parseInt(name, 10)) === null)
  await Promise.all(left.map((name) => removeFolder(join(folder, name))))
}

// For `bosun doctor` and `bosun crew`: the agents found, who answers questions, and whether it can be reached.

/** An agent that takes longer to begin is of no use to a person who waits. */
const CHECK_MS = 60_000

export interface MachinePlace {
  readonly stateRoot: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface BrainHere extends MachinePlace {
  readonly settings: Settings
  /** The work tree. */
  readonly repository: string
  /** Opens a session of an agent, which asks no model. A model by API is not tried: that costs. */
  readonly tries: boolean
}

const finderOf = ({ stateRoot }: MachinePlace): AgentFinder =>
  new AgentFinder({ root: stateRoot, node: process.execPath })

export const agentsHere = (place: MachinePlace): Promise<readonly FoundAgent[]> =>
  finderOf(place).all(place.env)

export async function brainHere(here: BrainHere): Promise<BrainFound> {
  const { settings, repository, stateRoot, env, tries } = here
  const sessions = new AgentSessions()
  try {
    const brain = openBrain({
      settings,
      repository,
      root: stateRoot,
      env: () => env,
      scripted: [process.execPath],
      finder: finderOf(here),
      sessions,
    })
    const description = await brain.describe()
    const isAgent = settings.brain.provider === 'auto' || settings.brain.provider === 'agent'
    if (!tries || !isAgent || description.who === null) return { description, health: null }
    const [health = null] = await brain.check(AbortSignal.timeout(CHECK_MS))
    return { description, health }
  } finally {
    await sessions.close()
  }
}
