/** The agents that plans with some settings use on this machine; a plan is refused before any work where none could do it. */
import { type AgentTable, agentTable, type AgentProfile } from '../../agents/agent-table.ts'
import {
  inheritWarnings,
  requiredRoles,
  unavailableAgents,
  usageReports,
  checkedChoices,
  type CheckedChoice,
} from '../../agents/required-agents.ts'
import type { PlanPlace } from '../../app/host/plan-place.ts'
import { budgetWarnings } from '../../core/crew/price-usage.ts'
import { planSettings } from '../../core/settings/plan-settings.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Machine } from '../plan-world.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentFinder } from '../../agents/profiles/find-agents.ts'
import { knownProfiles } from '../../agents/profiles/profile-of.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { AgentUnavailable } from '../../ports/agent.ts'

export const AGENT_REMEDY =
  'Install it, name another agent under `roles` in bosun.yaml (`bosun crew` lists them), or configure a command under `agents`.'

export const CHOICE_REMEDY = 'Correct model and effort under `roles` (or `models`) in bosun.yaml.'

interface PlanAgents {
  readonly table: AgentTable
  /** A line each, shown when the plan begins. */
  readonly notices: () => readonly string[]
}

/** `env`: that of the plan's caller, with the variables of its agents. */
export async function planAgents(
  machine: Machine,
  place: PlanPlace,
  env: Readonly<Record<string, string | undefined>>,
): Promise<PlanAgents> {
  const { settings } = place.document
  const at = { root: place.repository.path, env }
  const table = await agentsOf(settings, { ...machine, ...at, state: machine.root })
  if (!place.hasBegun && machine.swap === undefined) refuseWithoutAgent(table, at)
  await requireAgent(table, place, env)
  const choices = place.hasBegun ? [] : await checkedChoices(settings, table, at)
  refuseChoices(choices)
  return {
    table,
    notices: () => [
      ...agentNotice(table, machine, place),
      ...budgetWarnings(planSettings(settings), usageReports(table)).map(({ message }) => message),
      ...choices.map(({ message }) => message),
      ...inheritWarnings(settings, table).map(({ message }) => message),
    ],
  }
}

/** Refuses a plan that no agent could work on. */
async function requireAgent(
  table: AgentTable,
  place: PlanPlace,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const where = { root: place.repository.path, path: env['PATH'] ?? '' }
  // A plan that has begun may never need another review; if it does, it stops there.
  const [first] = await unavailableAgents(table, where, place.hasBegun ? ['developer'] : requiredRoles(table))
  if (first === undefined) return
  throw new Refusal({ code: 'no_agent', message: first.message, remedy: AGENT_REMEDY, cause: first })
}

/** Before any work: an agent with another model than the one that was asked for is no substitute. */
function refuseChoices(choices: readonly CheckedChoice[]): void {
  const refused = choices.filter(({ kind }) => kind === 'refused')
  if (refused.length === 0) return
  const message = refused.map((one) => one.message).join('; ')
  throw new Refusal({ code: 'usage', message, remedy: CHOICE_REMEDY })
}

/** Which agent works where the settings name none. */
function agentNotice({ fallback }: AgentTable, { env }: Machine, place: PlanPlace): readonly string[] {
  const { agents, roles } = place.document.settings
  const isConfigured = Object.keys(agents).length > 0 || roles.developer !== undefined
  if (isConfigured || fallback === SCRIPTED || hasScript(place.repository.path, env)) return []
  return [`no agent configured; using ${fallback}, found on the PATH (set roles: in bosun.yaml)`]
}

export interface AgentPlace {
  /** The repository. */
  readonly root: string
  /** The state root. */
  readonly state: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The command of the built-in scripted agent. */
  readonly scripted: readonly string[]
  readonly finder: AgentFinder
}

/** The agents that plans with these settings use. */
export async function agentsOf(
  settings: Pick<Settings, 'agents' | 'roles'>,
  place: AgentPlace,
): Promise<AgentTable> {
  const [named] = Object.keys(settings.agents)
  return agentTable({ settings, builtIn: builtIn(place), fallback: named ?? (await defaultAgent(place)) })
}

/** The same agents for one worker: with adapters that were installed since, and those that could take over. */
export async function agentsNow(
  settings: Pick<Settings, 'agents' | 'roles'>,
  { fallback }: AgentTable,
  place: AgentPlace,
): Promise<AgentTable> {
  const mayTakeOver = Object.keys(settings.agents).length === 0 && fallback !== SCRIPTED
  const found = mayTakeOver ? await place.finder.signedIn(place.env) : []
  return agentTable({ settings, builtIn: builtIn(place), fallback, found })
}

function builtIn({ state, scripted }: AgentPlace): Readonly<Record<string, AgentProfile>> {
  const own: AgentProfile = { protocol: 'command', command: scripted, prints: 'unmetered' }
  return { ...knownProfiles({ root: state, node: process.execPath }), scripted: own }
}

/** Where the settings name no agent: the first on the PATH that is signed in, else the first, else the scripted one. */
async function defaultAgent({ root, env, finder }: AgentPlace): Promise<string> {
  if (hasScript(root, env)) return SCRIPTED
  let first: string | null = null
  for await (const { name, signIn } of finder.signIns(env)) {
    if (signIn.by !== 'none') return name
    first ??= name
  }
  return first ?? SCRIPTED
}

export const SCRIPTED = 'scripted'

/** The scripted agent writes what its script says, and answers no question. */
export function requireAnswerer(agent: string): void {
  if (agent === SCRIPTED) throw new AgentUnavailable('no agent is configured or found that could answer')
}

/** A user who wrote a script for the scripted agent means that agent. */
export const hasScript = (root: string, env: AgentPlace['env']): boolean =>
  env['BOSUN_SCRIPT'] !== undefined || existsSync(join(root, 'bosun-script.yaml'))

/** Refuses work where no coding agent is installed: the scripted one creates empty files. */
const INSTALL_REMEDY =
  'Install one and sign in, for example: npm install -g @anthropic-ai/claude-code && claude. Or configure a command under `agents` in bosun.yaml.'

/** The scripted agent works where the settings name it or a script was written for it. It is no substitute. */
export function refuseWithoutAgent(
  { fallback, roles }: Pick<AgentTable, 'fallback' | 'roles'>,
  { root, env }: Pick<AgentPlace, 'root' | 'env'>,
): void {
  if (fallback !== SCRIPTED || roles.developer !== undefined || hasScript(root, env)) return
  throw new Refusal({
    code: 'no_agent',
    message: 'no coding agent is installed or configured',
    remedy: INSTALL_REMEDY,
  })
}

/** The same before there is a plan. */
export async function requireAgentAt(
  settings: Pick<Settings, 'agents' | 'roles'>,
  place: AgentPlace,
): Promise<void> {
  refuseWithoutAgent(await agentsOf(settings, place), place)
}
