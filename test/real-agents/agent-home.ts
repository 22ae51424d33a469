/** A home for one real agent and a folder to work in, led to a model server, under the cache. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { ModelServer } from '../agents/model-server/model-server.ts'
import type { Place, RealAgent } from './agents.ts'
import { pathWithoutAgents } from '../helpers/path-without-agents.ts'
import { cacheFolder, installedFile } from './install.ts'

export interface AgentHome {
  readonly place: Place
  readonly cwd: string
  /** All of its environment: nothing of this process reaches it. */
  readonly env: Readonly<Record<string, string>>
  readonly dispose: () => Promise<void>
}

export async function openAgentHome(agent: RealAgent, { url }: ModelServer): Promise<AgentHome> {
  const runs = join(cacheFolder(), 'runs')
  await mkdir(runs, { recursive: true })
  const folder = await mkdtemp(join(runs, `${agent.name}-`))
  const [home, cwd] = [join(folder, 'home'), join(folder, 'work')]
  await mkdir(home)
  await mkdir(cwd)
  const place: Place = { url, home, file: installedFile }
  for (const [path, text] of Object.entries(agent.files?.(place) ?? {})) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  const path = pathWithoutAgents([dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'))
  return {
    place,
    cwd,
    env: { PATH: path, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', ...agent.env(place) },
    // Some agents still write to their home while they end.
    dispose: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  }
}

/** A PATH with the agent's program on it, as its user has it. */
export async function pathWithAgent(agent: RealAgent, { place, env }: AgentHome): Promise<string> {
  const bin = join(place.home, 'bin')
  const words = agent.command(place)
  // Its own arguments are Bosun's to know.
  const program = words.slice(
    0,
    words.findIndex((word) => !isAbsolute(word)),
  )
  await mkdir(bin, { recursive: true })
  const shim = `#!/bin/sh\nexec ${program.map(quoted).join(' ')} "$@"\n`
  await writeFile(join(bin, agent.name), shim, { mode: 0o755 })
  return `${bin}:${env['PATH'] ?? ''}`
}

/** A script in sh that starts the agent in the environment of its home, and else in the one it is given. */
export function startScript(
  { env }: AgentHome,
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
): string {
  const { PATH: _, ...own } = { ...env, ...more }
  const exports = Object.entries(own).map(([name, value]) => `export ${name}=${quoted(value)}`)
  return [...exports, `exec ${argv.map(quoted).join(' ')}`, ''].join('\n')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
