/** How an agent of the table is run on this machine, and the adapter that it may need for that. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import { jsonIn } from '../../lib/text/json.ts'
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
  const { maker, smallModels } = row
  const asCommand: AgentProfile = { protocol: 'command', maker, ...row.command }
  const { start, session, ...profile } = row.acp
  const started = starting(start, row.name, place)
  if (started === null) return asCommand
  const mcp = profile.mcp ? ({ mcp: 'configuration' } as const) : {}
  const acp = { ...mcp, ...session }
  return { protocol: 'acp', maker, ...started, ...profile, smallModels, acp, otherwise: asCommand }
}

/** By itself, or by its adapter, which drives the user's own program; null where the adapter is not installed. */
function starting(
  start: AgentRow['acp']['start'],
  program: string,
  { root, node }: ProfilePlace,
): Pick<AgentProfile, 'command' | 'drives'> | null {
  if (!isAdapter(start)) return { command: start }
  const entry = installedAdapter(root, start)
  if (entry === null) return null
  return { command: [node, entry], drives: { program, variable: start.programIn } }
}

export const isAdapter = (start: readonly string[] | AcpAdapter): start is AcpAdapter => 'package' in start

export function adapterNamed(agent: string): AcpAdapter | null {
  const row = AGENT_ROWS.find(({ name }) => name === agent)
  return row === undefined ? null : adapterOf(row)
}

/** The adapter of an agent; null where it needs none. */
export const adapterOf = ({ acp }: AgentRow): AcpAdapter | null => (isAdapter(acp.start) ? acp.start : null)

/**
 * Where adapters lie: packages that speak the Agent Client Protocol for an agent that does not. Each version has a folder
 * of its own under `adapters/` of the state root, which is there whole or not at all.
 */
export const adaptersFolder = (root: string): string => join(root, 'adapters')

export const adapterFolder = (root: string, adapter: Pick<AcpAdapter, 'package' | 'version'>): string =>
  join(adaptersFolder(root), specOf(adapter).replaceAll('/', '+'))

/** As npm names it. */
export const specOf = ({ package: name, version }: Pick<AcpAdapter, 'package' | 'version'>): string =>
  `${name}@${version}`

/** The program of an installed adapter; null where it is not installed. */
export function installedAdapter(root: string, adapter: AcpAdapter): string | null {
  const found = adapterIn(adapterFolder(root, adapter), adapter)
  return found.ok ? found.entry : null
}

type FoundAdapter =
  | { readonly ok: true; readonly entry: string }
  | { readonly ok: false; readonly why: string }

const manifestSchema = z.object({ name: z.string(), version: z.string() })

/** The adapter in a folder that npm installed it to, if it is the very package and version. */
export function adapterIn(folder: string, adapter: AcpAdapter): FoundAdapter {
  const home = join(folder, 'node_modules', adapter.package)
  const text = readIfExists(join(home, 'package.json'))
  if (text === null) return { ok: false, why: `${adapter.package} is not installed` }
  const manifest = manifestSchema.safeParse(jsonIn(text)).data
  if (manifest === undefined) return { ok: false, why: `its package.json names no package` }
  if (manifest.name !== adapter.package || manifest.version !== adapter.version)
    return { ok: false, why: `found ${specOf({ package: manifest.name, version: manifest.version })}` }
  const entry = join(home, adapter.entry)
  return existsSync(entry) ? { ok: true, entry } : { ok: false, why: `it has no ${adapter.entry}` }
}

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional() })),
})

/** Why what npm fetched is not the very package that was tried; null where it is. npm held it against this hash. */
export function foreignPackage(
  folder: string,
  adapter: Pick<AcpAdapter, 'package' | 'integrity'>,
): string | null {
  const text = readIfExists(join(folder, 'node_modules', '.package-lock.json'))
  const lock = text === null ? undefined : lockSchema.safeParse(jsonIn(text)).data
  const found = lock?.packages[`node_modules/${adapter.package}`]?.integrity
  if (found === undefined) return 'npm recorded no hash of it'
  return found === adapter.integrity ? null : `its hash is ${found}, not ${adapter.integrity}`
}
