import { installedAdapter } from './adapter-place.ts'
import type { AgentProfile } from '../agent-table.ts'
import type { AcpAdapter, AgentRow } from './agent-row.ts'
import { AGENT_ROWS } from './rows.ts'

export interface ProfilePlace {
  /** The state root, with the adapters in it. */
  readonly root: string
  /** The Node that adapters run on. */
  readonly node: string
}

/** The agents of the table, by name. */
export const knownProfiles = (place: ProfilePlace): Readonly<Record<string, AgentProfile>> =>
  Object.fromEntries(AGENT_ROWS.map((row) => [row.name, profileOf(row, place)]))

/** How Bosun runs an agent of the table: over the Agent Client Protocol where that works here, else as a command. */
export function profileOf(row: AgentRow, place: ProfilePlace): AgentProfile {
  const asCommand = commandProfile(row)
  const started = row.protocol === 'acp' ? starting(row, place) : null
  if (started === null) return asCommand
  const { env, mode, authenticate, usage, continues, errorsIn, model, effort, mcp } = row.acp
  const isWay = typeof mcp !== 'string'
  return {
    protocol: 'acp',
    maker: row.maker,
    ...started,
    env,
    reportsCost: row.acp.reportsCost,
    bare: row.acp.bare,
    reading: { mode: row.acp.reading.mode, meta: row.acp.reading.meta },
    arguments: { model, effort },
    smallModels: row.smallModels,
    mcp: isWay ? mcp : null,
    acp: { mode, authenticate, usage, continues, errorsIn, mcp: isWay ? 'configuration' : mcp },
    otherwise: asCommand,
  }
}

const programOf = ({ name, programs: [program = name] }: AgentRow): string => program

const commandProfile = (row: AgentRow): AgentProfile => ({
  protocol: 'command',
  maker: row.maker,
  command: [programOf(row), ...row.command.args],
  directories: row.command.directories,
  mcp: row.command.mcp,
  arguments: { model: row.command.model, effort: row.command.effort },
  prints: row.command.prints,
  reportsCost: row.command.reportsCost,
  bare: row.command.bare,
})

/** By itself, or by its adapter, which drives the user's own program; null where the adapter is not installed. */
function starting(
  row: AgentRow,
  { root, node }: ProfilePlace,
): Pick<AgentProfile, 'command' | 'drives'> | null {
  const { start } = row.acp
  if (!isAdapter(start)) return { command: [programOf(row), ...start] }
  const entry = installedAdapter(root, start)
  if (entry === null) return null
  return { command: [node, entry], drives: { program: programOf(row), variable: start.programIn } }
}

export const isAdapter = (start: readonly string[] | AcpAdapter): start is AcpAdapter => 'package' in start

/** The adapter of an agent; null where it needs none. */
export const adapterOf = ({ acp }: AgentRow): AcpAdapter | null => (isAdapter(acp.start) ? acp.start : null)
