/** Which agent does what: the names of bosun.yaml and the built-in ones, and how to run each. */
import { existsSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import type { Role } from '../core/event-schemas/schemas.ts'
import type { Effort } from '../core/choice/choose-agent.ts'
import { rankAgents, type Wanted } from '../core/choice/rank-agents.ts'
import { roleAgents } from '../core/settings/role-settings.ts'
import type { Settings } from '../core/settings/settings.ts'
import { findProgram } from '../lib/process/find-program.ts'
import { AgentUnavailable } from '../ports/agent.ts'
import type { McpWay } from './hand-mcp.ts'
import type { AcpJob, Prints } from './worker-folder.ts'

export interface AgentProfile {
  readonly protocol: 'command' | 'acp'
  readonly command: readonly string[]
  /** The option that gives it one more folder; none where it needs none. */
  readonly directories?: string | undefined
  /** How it takes an MCP server by its command or configuration; none where it cannot. */
  readonly mcp?: McpWay | undefined
  /** What is known of an agent that speaks the protocol. */
  readonly acp?: Partial<AcpProfile> | undefined
  /** What it prints as a plain command; text where it is absent. */
  readonly prints?: Prints | undefined
  /** Whether it reports what its work costs. */
  readonly reportsCost?: boolean | undefined
  /** How it is run without the user's own set-up; absent where no way is known. */
  readonly bare?: BareRun | undefined
  /** How its session is kept from acting where it is asked a question; absent where no way is known. */
  readonly reading?: ReadingRun | undefined
  /** Variables that it needs to be run so. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Who makes it, where that is known. */
  readonly maker?: string | undefined
  /** The user's own program that an adapter drives, and the variable for its path. */
  readonly drives?: { readonly program: string; readonly variable: string } | undefined
  /** As a plain command, where the protocol fails. */
  readonly otherwise?: AgentProfile | undefined
  /** Its arguments for a model and an effort; null where it has none. */
  readonly arguments?: ChoiceArguments | undefined
  /** What the names of its small models hold, the best first; absent where that is not known. */
  readonly smallModels?: readonly string[] | undefined
}

/** What of a user's own set-up an agent takes into every session. */
export type OwnPart = 'instructions' | 'mcp' | 'hooks' | 'skills'

/** An agent without the user's own set-up. That of the repository counts all the same. */
export interface BareRun {
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Of its session. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /** What it cannot leave out. */
  readonly keeps: readonly OwnPart[]
}

/** Beside this, every permission it asks for is answered by a policy that allows reading alone. */
export interface ReadingRun {
  /** Absent: its own. */
  readonly mode?: string | undefined
  /** Over its other environment. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Of its session. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
}

/** `{model}` and `{effort}` stand for the value. `session`: an option of its session. */
export interface ChoiceArguments {
  readonly model: readonly string[] | 'session' | null
  readonly effort: readonly string[] | 'session' | null
}

export interface AcpProfile extends Pick<
  AcpJob,
  'mode' | 'authenticate' | 'mcpServers' | 'meta' | 'usage' | 'errorsIn' | 'continues'
> {
  /** How an MCP server reaches it: with its session, by its configuration, or not at all. */
  readonly mcp: 'session' | 'configuration' | 'none'
}

export interface ChosenAgent extends AgentProfile {
  readonly name: string
  /** Variables for it, on top of the built environment: a provider's key, for one. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** What it is asked to use; absent or null: its own. */
  readonly model?: string | null | undefined
  /** Names to look for among the models that its session offers; absent where it keeps its own. */
  readonly modelLike?: readonly string[] | undefined
  readonly effort?: Effort | null | undefined
  /** Arguments for them, after those of its command. */
  readonly choiceArguments?: readonly string[] | undefined
  /** Why this agent. */
  readonly why?: string | undefined
  /** Who could do it, the first choice first. */
  readonly candidates?: readonly string[] | undefined
}

export interface AgentTable {
  /** Agents by name, those of the settings before the built-in ones. */
  readonly agents: Readonly<Record<string, AgentProfile>>
  /** The agent of each role, as the settings name it. */
  readonly roles: Readonly<Partial<Record<Role, string>>>
  /** The agent of roles that the settings do not name. */
  readonly fallback: string
  /** Those that may take over: the agents of the settings, else those found that are signed in. */
  readonly others: readonly string[]
  /** Those that may review where the settings name no reviewer. */
  readonly reviewers: readonly string[]
}

export interface TableSources {
  readonly settings: Pick<Settings, 'roles'> & { readonly agents: Readonly<Record<string, AgentProfile>> }
  readonly builtIn: Readonly<Record<string, AgentProfile>>
  readonly fallback: string
  /** Found and signed in. */
  readonly found?: readonly string[]
}

export function agentTable({ settings, builtIn, fallback, found = [] }: TableSources): AgentTable {
  const own = Object.entries(settings.agents).map(([name, profile]) => [
    name,
    {
      ...profile,
      maker: profile.maker ?? makerOf(profile, builtIn),
      bare: profile.bare ?? knownAs(profile, builtIn)?.bare,
      reading: knownAs(profile, builtIn)?.reading,
    },
  ])
  const agents: AgentTable['agents'] = { ...builtIn, ...Object.fromEntries(own) }
  const roles = roleAgents(settings.roles)
  const named = [...new Set([...Object.keys(settings.agents), ...Object.values(roles)])]
  const able = named.filter((name) => Object.hasOwn(agents, name))
  return {
    agents,
    roles,
    fallback,
    // Work goes to no provider that the user did not choose, where the user chose one.
    others: named.length === 0 ? found : able,
    // With agents of the user's own, those found count for nothing.
    reviewers: own.length === 0 ? [...able, ...found] : able,
  }
}

/** A known program that is run the same way has the same options. */
function knownAs(
  { command, protocol }: AgentProfile,
  builtIn: TableSources['builtIn'],
): AgentProfile | undefined {
  const program = basename(command[0] ?? '')
  const ways = Object.values(builtIn).flatMap((known) => [
    known,
    ...(known.otherwise ? [known.otherwise] : []),
  ])
  const matches = (known: AgentProfile): boolean =>
    known.protocol === protocol && basename(known.command[0] ?? '') === program && known.drives === undefined
  return ways.find(matches)
}

/** A known program in a command of the user's own has a known maker. */
function makerOf({ command }: AgentProfile, builtIn: TableSources['builtIn']): string | undefined {
  const programs = command.map((word) => basename(word))
  const matches = (known: AgentProfile): boolean =>
    programs.includes(basename(known.drives?.program ?? known.command[0] ?? ''))
  return Object.values(builtIn).find((known) => known.maker !== undefined && matches(known))?.maker
}

export interface AgentPlaces {
  /** The folder the settings stand in: a path in them is meant from there. */
  readonly root: string
  readonly path: string
}

/** The agent for a role, with its program found. Throws AgentUnavailable if there is none or it cannot be run. */
export async function chooseAgent(table: AgentTable, role: Role, where: AgentPlaces): Promise<ChosenAgent> {
  const found = runnable(table, table.roles[role] ?? table.fallback, { role, ...where })
  if (found instanceof AgentUnavailable) throw found
  return found
}

/**
 * The agent for a worker: the best that can be run. Throws AgentUnavailable where none can, and names what is wrong with
 * the first choice.
 */
export async function chooseWorkerAgent(
  table: AgentTable,
  wanted: Wanted & { readonly byCommand: readonly string[] },
  where: AgentPlaces,
): Promise<ChosenAgent> {
  const makers = Object.fromEntries(Object.entries(table.agents).map(([name, { maker }]) => [name, maker]))
  const { agents, candidates } = rankAgents({ ...table, makers }, wanted)
  const at = { role: wanted.role, ...where }
  const failures: AgentUnavailable[] = []
  for (const { name, why } of agents) {
    const chosen = runnable(table, name, { ...at, asCommand: wanted.byCommand.includes(name) })
    if (chosen instanceof AgentUnavailable) {
      failures.push(chosen)
      continue
    }
    const passed = failures.map(({ message }) => `${message}; `).join('')
    const isAble = (one: string): boolean =>
      one === name || !(runnable(table, one, at) instanceof AgentUnavailable)
    return { ...chosen, why: `${passed}${why}`, candidates: candidates.filter(isAble) }
  }
  throw failures[0] ?? new AgentUnavailable(`no agent for role ${wanted.role}`)
}

interface Asked extends AgentPlaces {
  readonly role: Role
  /** Without the Agent Client Protocol, where there is another way. */
  readonly asCommand?: boolean
}

function runnable(table: AgentTable, name: string, asked: Asked): ChosenAgent | AgentUnavailable {
  const known = Object.hasOwn(table.agents, name) ? table.agents[name] : undefined
  if (known === undefined) {
    const names = Object.keys(table.agents).sort().join(', ') || 'none'
    return new AgentUnavailable(`no agent named ${name} (role ${asked.role}); known agents: ${names}`)
  }
  const profile = asked.asCommand === true ? (known.otherwise ?? known) : known
  const find = (program: string) => findProgram(program, { cwd: asked.root, path: asked.path })
  const [first = '', ...rest] = profile.command
  const program = find(first)
  if (!program.ok) return new AgentUnavailable(`cannot run agent ${name}: ${program.why}`)
  const chosen = { ...profile, name, command: [program.file, ...rest] }
  const { drives } = profile
  if (drives === undefined) return chosen
  const driven = find(drives.program)
  if (!driven.ok) return new AgentUnavailable(`cannot run agent ${name}: ${driven.why}`)
  return { ...chosen, env: { ...profile.env, [drives.variable]: driven.file } }
}

/**
 * An agent runs in its workspace, where the words of its command mean what they mean in a checkout. A path to a file
 * that was never committed leads nowhere there; then the user's own is meant. A word without a slash is no path: `exec`
 * stays `exec`, whatever lies in the user's folder.
 */
export function commandIn(
  chosen: ChosenAgent,
  where: { readonly root: string; readonly workspace: string },
): readonly string[] {
  const [program = '', ...rest] = chosen.command
  const words = rest.map((word) => {
    const isPath = word.includes('/') && !word.startsWith('-') && !isAbsolute(word)
    if (!isPath || existsSync(join(where.workspace, word))) return word
    return existsSync(join(where.root, word)) ? join(where.root, word) : word
  })
  return [program, ...words]
}
