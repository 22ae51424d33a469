/** For `bosun doctor` and `bosun crew`: the agents found, who answers questions, and whether it can be reached. */
import { AgentSessions } from '../../agents/asking/agent-sessions.ts'
import { AgentFinder } from '../../agents/profiles/find-agents.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { BrainFound, FoundAgent } from '../../ports/machine.ts'
import { openBrain } from './open-brain.ts'

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
