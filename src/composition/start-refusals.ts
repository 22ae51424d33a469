/** What `bosun run` would refuse here, found by the code that refuses it; doctor reports it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { agentTable, type AgentProfile, type AgentTable } from '../agents/agent-table.ts'
import { AgentFinder } from '../agents/profiles/find-agents.ts'
import { knownProfiles } from '../agents/profiles/profile-of.ts'
import { unavailableAgents } from '../agents/required-agents.ts'
import { inheritWarnings } from '../agents/without-own-setup.ts'
import { usageReports } from '../agents/usage-reports.ts'
import { budgetWarnings } from '../core/crew/budget-warnings.ts'
import { planSettings } from '../core/settings/plan-settings.ts'
import type { Settings } from '../core/settings/settings.ts'
import { checkedChoices } from '../agents/supervisor/acp/checked-choices.ts'
import { openFilesLimit, refuseFewOpenFiles } from '../lib/files/open-files.ts'
import { Refusal } from '../lib/refusal.ts'
import type { StartRefusal } from '../ports/machine.ts'
import { Git, surroundingsIn } from '../workspaces/git/git.ts'
import { openUserRepository } from '../workspaces/user-repository.ts'

export const AGENT_REMEDY =
  'Install it, name another agent under `roles` in bosun.yaml (`bosun crew` lists them), or configure a command under `agents`.'

export const CHOICE_REMEDY = 'Correct model and effort under `roles` (or `models`) in bosun.yaml.'

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

/** A user who wrote a script for the scripted agent means that agent. */
export const hasScript = (root: string, env: AgentPlace['env']): boolean =>
  env['BOSUN_SCRIPT'] !== undefined || existsSync(join(root, 'bosun-script.yaml'))

export async function startRefusals(place: {
  readonly root: string
  /** The state root. */
  readonly state: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Null where the settings themselves are invalid. */
  readonly settings: Settings | null
}): Promise<readonly StartRefusal[]> {
  const { root, state, env, settings } = place
  const found: StartRefusal[] = []
  try {
    await openUserRepository(new Git(surroundingsIn(env)), root)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const remedy = error instanceof Refusal ? error.remedy : 'Run `git status` there.'
    found.push({ about: 'repository', message, remedy })
  }
  try {
    refuseFewOpenFiles(openFilesLimit())
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    found.push({ about: 'daemon', message: error.message, remedy: error.remedy })
  }
  if (settings !== null) {
    // The built-in agent is this program, which exists.
    const table = await agentsOf(settings, {
      root,
      state,
      env,
      scripted: [process.execPath],
      finder: new AgentFinder({ root: state, node: process.execPath }),
    })
    for (const { message } of await unavailableAgents(table, { root, path: env['PATH'] ?? '' }))
      found.push({ about: 'agents', message, remedy: AGENT_REMEDY })
    for (const warning of budgetWarnings(planSettings(settings), usageReports(table)))
      found.push({ about: 'budgets', ...warning })
    for (const { kind, message } of await checkedChoices(settings, table, { root, env }))
      found.push({ about: kind === 'ignored' ? 'models' : 'agents', message, remedy: CHOICE_REMEDY })
    for (const warning of inheritWarnings(settings, table)) found.push({ about: 'inherit', ...warning })
  }
  return found
}
