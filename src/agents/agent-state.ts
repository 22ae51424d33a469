/** What an agent behind walls needs of the user's machine beside its clone: its program, its settings and its sessions. */
import { copyFileSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { orElse } from '../lib/or-else.ts'
import type { Walls } from '../ports/sandbox.ts'
import { AGENT_ROWS } from './profiles/rows.ts'

type Env = Readonly<Record<string, string | undefined>>

interface AgentState {
  /** With its settings, its sign-in and its sessions. */
  readonly folders: readonly string[]
  /** Settings that are a file of the home itself. */
  readonly files: readonly string[]
}

/** Variables that move the folder of an agent. */
const MOVED = [
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'PI_CODING_AGENT_DIR',
  'QWEN_HOME',
  'GEMINI_CLI_HOME',
] as const
const XDG: readonly (readonly [below: string, variable: string])[] = [
  ['~/.config/', 'XDG_CONFIG_HOME'],
  ['~/.local/share/', 'XDG_DATA_HOME'],
  ['~/.local/state/', 'XDG_STATE_HOME'],
  ['~/.cache/', 'XDG_CACHE_HOME'],
]

/** Of the agent that a command runs, by the name of a known one; nothing for any other. Its folders are there afterwards. */
function agentState(
  agent: { readonly name: string; readonly command: readonly string[] },
  env: Env,
): AgentState {
  const words = [agent.name, ...agent.command.map((word) => basename(word))]
  const rows = AGENT_ROWS.filter(
    ({ name, acp }) =>
      words.includes(name) ||
      ('package' in acp.start && agent.command.some((word) => word.includes(packageOf(acp.start)))),
  )
  const paths = rows.flatMap((row) => row.folders).flatMap((path) => inHome(path, env))
  const moved = rows.length === 0 ? [] : MOVED.flatMap((name) => env[name] ?? []).filter(isAbsolute)
  const files = paths.filter((path) => path.endsWith('.json'))
  const folders = [...paths.filter((path) => !files.includes(path)), ...moved]
  // One that cannot be made is of no use to the agent either.
  for (const folder of folders) orElse(() => mkdirSync(folder, { recursive: true, mode: 0o700 }), null)
  return { folders, files }
}

const packageOf = (start: unknown): string => String((start as { readonly package?: string }).package)

/** Where known agents keep their settings and sign-ins: private to each of them. */
export const placesOfAgents = (env: Env): readonly string[] =>
  AGENT_ROWS.flatMap((row) => row.folders).flatMap((path) => inHome(path, env))

function inHome(path: string, env: Env): readonly string[] {
  const moved = XDG.find(([below, variable]) => path.startsWith(below) && env[variable] !== undefined)
  if (moved !== undefined) return [join(env[moved[1]] ?? '', path.slice(moved[0].length))]
  return env['HOME'] === undefined ? [] : [join(env['HOME'], path.slice(2))]
}

/** What walls open for an agent, beside what it works on. `folder` is one that it may write, for copies of its own. */
export function agentWalls(
  agent: { readonly name: string; readonly command: readonly string[] },
  { env, folder }: { readonly env: Env; readonly folder: string },
): Pick<Walls, 'writable' | 'readable' | 'links'> {
  const { folders, files } = agentState(agent, env)
  return {
    writable: folders,
    readable: programFolders(agent.command, env),
    links: files.map((at) => ({ at, to: privateCopy(at, folder) })),
  }
}

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
