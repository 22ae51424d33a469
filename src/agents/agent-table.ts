/** Which agent does what: the names of bosun.yaml and the built-in ones, and how to run each. */
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Role } from '../core/event-schemas/schemas.ts'
import { findProgram } from '../lib/process/find-program.ts'
import { AgentUnavailable } from '../ports/agent.ts'
import type { AcpJob, Prints } from './worker-folder.ts'

export interface AgentProfile {
  readonly protocol: 'command' | 'acp'
  readonly command: readonly string[]
  /** The option that gives it one more folder; none where it needs none. */
  readonly directories?: string | null | undefined
  /** What is known of an agent that speaks the protocol. */
  readonly acp?: Partial<AcpProfile> | undefined
  /** What it prints as a plain command; text where it is absent. */
  readonly prints?: Prints | undefined
  /** Whether it reports what its work costs. */
  readonly reportsCost?: boolean | undefined
  /** Variables that it needs to be run so. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

export interface AcpProfile extends Pick<
  AcpJob,
  'mode' | 'options' | 'authenticate' | 'mcpServers' | 'meta' | 'usage'
> {
  /** How it continues an earlier session. */
  readonly continues: 'load' | 'resume'
}

export interface ChosenAgent extends AgentProfile {
  readonly name: string
  /** Variables for it, on top of the built environment: a provider's key, for one. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

export interface AgentTable {
  /** Agents by name, those of the settings before the built-in ones. */
  readonly agents: Readonly<Record<string, AgentProfile>>
  /** The agent of each role, as the settings name it. */
  readonly roles: Readonly<Partial<Record<Role, string | undefined>>>
  /** The agent of roles that the settings do not name. */
  readonly fallback: string
  /** Those that the settings name, in their order. */
  readonly named: readonly string[]
}

export interface TableSources {
  readonly settings: {
    readonly agents: Readonly<Record<string, AgentProfile>>
    readonly roles: AgentTable['roles']
  }
  readonly builtIn: Readonly<Record<string, AgentProfile>>
  readonly fallback: string
}

export function agentTable({ settings, builtIn, fallback }: TableSources): AgentTable {
  const named = Object.keys(settings.agents)
  return { agents: { ...builtIn, ...settings.agents }, roles: settings.roles, fallback, named }
}

/**
 * The agent for a role, with its program found. Throws AgentUnavailable if there is none or it cannot be run.
 * `root` is the folder the settings stand in: a path in them is meant from there.
 */
export async function chooseAgent(
  table: AgentTable,
  role: Role,
  where: { readonly root: string; readonly path: string },
): Promise<ChosenAgent> {
  return runnable(table, table.roles[role] ?? table.fallback, { role, ...where })
}

async function runnable(
  table: AgentTable,
  name: string,
  where: { readonly role: Role; readonly root: string; readonly path: string },
): Promise<ChosenAgent> {
  const profile = Object.hasOwn(table.agents, name) ? table.agents[name] : undefined
  if (profile === undefined) {
    const known = Object.keys(table.agents).sort().join(', ') || 'none'
    throw new AgentUnavailable(`no agent named ${name} (role ${where.role}); known agents: ${known}`)
  }
  const [first = '', ...rest] = profile.command
  const program = findProgram(first, { cwd: where.root, path: where.path })
  if (!program.ok) throw new AgentUnavailable(`cannot run agent ${name}: ${program.why}`)
  return { ...profile, name, command: [program.file, ...rest] }
}

/**
 * The agent for a review: the configured one, but preferably one that did not write the work. Where
 * none is named, any agent of the settings will do; where one is, only agents with a role. Otherwise an author's
 * own program reviews, with a fresh context.
 */
export async function chooseReviewer(
  table: AgentTable,
  authors: readonly string[],
  where: { readonly root: string; readonly path: string },
): Promise<ChosenAgent> {
  const { roles, fallback } = table
  const own = roles.reviewer === undefined ? table.named : []
  const names = [roles.reviewer ?? fallback, ...Object.values(roles), ...own]
  for (const name of new Set(names)) {
    if (name === undefined || authors.includes(name)) continue
    try {
      return await runnable(table, name, { role: 'reviewer', ...where })
    } catch (error) {
      // An unavailable agent leaves the review to the next; `chooseAgent` below reports the configured one.
      if (!(error instanceof AgentUnavailable)) throw error
    }
  }
  return chooseAgent(table, 'reviewer', where)
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
