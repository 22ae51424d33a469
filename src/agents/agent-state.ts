/** What an agent behind walls needs of the user's machine beside its clone: its program, its settings and its sessions. */
import { copyFileSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { orElse } from '../lib/or-else.ts'
import type { Walls } from '../ports/sandbox.ts'
import type { AgentRow } from './profiles/agent-row.ts'
import { keptOf } from './profiles/kept-settings.ts'
import { AGENT_ROWS } from './profiles/rows.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Variables that move a folder of the home, with all in it, and where below their value it then is. */
const MOVED: readonly (readonly [path: string, variable: string, below: string])[] = [
  ['~/.claude', 'CLAUDE_CONFIG_DIR', ''],
  ['~/.claude.json', 'CLAUDE_CONFIG_DIR', '.claude.json'],
  ['~/.codex', 'CODEX_HOME', ''],
  ['~/.gemini', 'GEMINI_CLI_HOME', '.gemini'],
  ['~/.qwen', 'QWEN_HOME', ''],
  ['~/.pi/agent', 'PI_CODING_AGENT_DIR', ''],
  ['~/.config', 'XDG_CONFIG_HOME', ''],
  ['~/.local/share', 'XDG_DATA_HOME', ''],
  ['~/.local/state', 'XDG_STATE_HOME', ''],
  ['~/.cache', 'XDG_CACHE_HOME', ''],
]

/** Where a path of a row is on this machine; nothing where there is no home. */
function placeOf(path: string, env: Env): readonly string[] {
  const isIn = (above: string): boolean => path === above || path.startsWith(`${above}/`)
  for (const [above, variable, below] of MOVED) {
    const moved = env[variable]
    if (isIn(above) && moved !== undefined && isAbsolute(moved))
      return [join(realPath(moved), below, path.slice(above.length))]
  }
  return env['HOME'] === undefined ? [] : [join(realPath(env['HOME']), path.slice(2))]
}

const realPath = (path: string): string => orElse(() => realpathSync(path), path)

export interface AgentCommand {
  readonly name: string
  readonly command: readonly string[]
}

/** Of the agent that a command runs, by the name of a known one; nothing for any other. */
export function rowsOf(agent: AgentCommand): readonly AgentRow[] {
  const words = [agent.name, ...agent.command.map(programName)]
  const isOf = (row: AgentRow): boolean =>
    [row.package, 'package' in row.acp.start ? row.acp.start.package : undefined].some(
      (name) => name !== undefined && agent.command.some((word) => word.includes(`/node_modules/${name}/`)),
    )
  return AGENT_ROWS.filter((row) => words.includes(row.name) || isOf(row))
}

const programName = (word: string): string => basename(word).replace(/\.(?:[cm]?js|sh)$/, '')

/** Where known agents keep their settings and sign-ins: private to each of them. */
export const placesOfAgents = (env: Env): readonly string[] =>
  AGENT_ROWS.flatMap((row) => row.folders).flatMap((path) => placeOf(path, env))

/**
 * What walls open for an agent, beside what it works on. `folder` is one that it may write, for copies of its own. Its
 * folders are there afterwards.
 */
export function agentWalls(
  agent: AgentCommand,
  { env, folder }: { readonly env: Env; readonly folder: string },
): Pick<Walls, 'writable' | 'readable' | 'kept' | 'links' | 'home'> {
  const rows = rowsOf(agent)
  const places = (paths: (row: AgentRow) => readonly string[]): readonly string[] =>
    rows.flatMap(paths).flatMap((path) => placeOf(path, env))
  const home = env['HOME'] === undefined ? undefined : realPath(env['HOME'])
  const all = places((row) => row.folders)
  const isFile = (path: string): boolean => path.endsWith('.json')
  // Moved into a folder of the agent, a file needs no copy.
  const files = all.filter((path) => isFile(path) && dirname(path) === home)
  const folders = all.filter((path) => !isFile(path))
  // One that cannot be made is of no use to the agent either.
  for (const path of folders) orElse(() => mkdirSync(path, { recursive: true, mode: 0o700 }), null)
  return {
    writable: folders,
    readable: [
      ...programFolders(agent.command, env),
      ...programFolders(
        rows.flatMap(({ acp: { start } }) => driven(start, env)),
        env,
      ),
    ],
    kept: places(({ name }) => keptOf(name)).filter((path) => existsSync(path)),
    links: files.map((at) => ({ at, to: privateCopy(at, folder) })),
    home,
  }
}

/** The user's own program that an adapter drives. */
const driven = (start: AgentRow['acp']['start'], env: Env): readonly string[] =>
  'package' in start ? [env[start.programIn] ?? ''] : []

/** A copy that the agent may change for itself; an empty object where there is none. */
function privateCopy(path: string, folder: string): string {
  const copy = join(folder, `own-${basename(path).replace(/^\./, '')}`)
  if (existsSync(path)) copyFileSync(path, copy)
  else writeFileSync(copy, '{}\n', { mode: 0o600 })
  return copy
}

/** Files that a command names, and the folders of its programs, which may lie where walls hide them. */
function programFolders(command: readonly string[], env: Env): readonly string[] {
  const shared = new Set(['/', '/tmp', '/var/tmp', '/run', env['TMPDIR'], env['HOME']])
  const real = (path: string): readonly string[] => [path, orElse(() => realpathSync(path), path)]
  return command
    .filter((word) => isAbsolute(word) && existsSync(word))
    .flatMap(real)
    .flatMap((path) => (shared.has(dirname(path)) ? [path] : [path, dirname(path)]))
}
