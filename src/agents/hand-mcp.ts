/**
 * Hands Bosun's MCP server to the agent of a worker that runs as a command, or that takes servers by its configuration
 * alone. Each agent has its own way. The token is in no argument: other users could read it. It is in the environment,
 * and in a file only where the agent does not read variables in it.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../lib/system/package-root.ts'
import { isRecord, jsonIn, type Fields } from '../lib/text/json.ts'
import type { ChosenAgent } from './agent-table.ts'

/** How an agent takes a server. */
export type McpWay =
  /** An option with a JSON file of servers, in which `${NAME}` is a variable. */
  | { readonly kind: 'file_option'; readonly option: string }
  /** An option that sets one entry of its TOML configuration. */
  | { readonly kind: 'toml_option'; readonly option: string }
  /** An option with a command that serves MCP on stdin and stdout. */
  | { readonly kind: 'command_option'; readonly option: string }
  /** A variable with the path of a JSON file of lowest rank, unless the machine has such a file. */
  | { readonly kind: 'defaults_file'; readonly variable: string; readonly machineFile: string }
  /** A variable with its configuration as JSON, which may be set already. */
  | { readonly kind: 'json_variable'; readonly variable: string; readonly under: 'mcp' | 'mcp_servers' }

export interface McpAddition {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** To be written for this user alone, by name. */
  readonly files: Readonly<Record<string, string>>
}

interface Target {
  /** Of the daemon. */
  readonly url: string
  readonly token: string
  /** Where its files go. */
  readonly folder: string
  /** What is set for it already. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Whether its worker has Bosun's tools. */
export const hasMcp = (chosen: ChosenAgent, env: Target['env']): boolean =>
  takesInSession(chosen) || wayOf(chosen, env) !== null

/** Whether its session can be given servers, which is how its supervisor does it. */
export const takesInSession = ({ protocol, acp }: ChosenAgent): boolean =>
  protocol === 'acp' && (acp?.mcp ?? 'session') === 'session'

/** What to add to its command and environment, where that is the way. */
export function mcpAddition(chosen: ChosenAgent, target: Target): McpAddition {
  const way = wayOf(chosen, target.env)
  return { args: [], env: {}, files: {}, ...(way === null ? {} : ADDITIONS[way.kind](way as never, target)) }
}

/** Null where it has none, or where the way is taken. */
function wayOf({ protocol, mcp, acp }: ChosenAgent, env: Target['env']): McpWay | null {
  const isByConfiguration = protocol === 'command' || acp?.mcp === 'configuration'
  if (!isByConfiguration || mcp === undefined) return null
  if (mcp.kind === 'defaults_file')
    return env[mcp.variable] !== undefined || existsSync(mcp.machineFile) ? null : mcp
  if (mcp.kind === 'json_variable') return jsonObject(env[mcp.variable]) === null ? null : mcp
  return mcp
}

type OfKind<K extends McpWay['kind']> = Extract<McpWay, { kind: K }>

const ADDITIONS: {
  readonly [K in McpWay['kind']]: (way: OfKind<K>, target: Target) => Partial<McpAddition>
} = {
  file_option({ option }, { folder }) {
    const headers = { Authorization: 'Bearer ${BOSUN_TOKEN}' }
    // Loaded at once: otherwise its tools are hidden behind a search.
    const bosun = { type: 'http', url: '${BOSUN_URL}/mcp', headers, alwaysLoad: true }
    const name = 'mcp.json'
    return {
      args: [option, join(folder, name)],
      files: { [name]: JSON.stringify({ mcpServers: { bosun } }) },
    }
  },
  toml_option({ option }, { url }) {
    const fields = Object.entries(codexServer(url)).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    return { args: [option, `mcp_servers.bosun={${fields.join(',')}}`] }
  },
  command_option: ({ option }) => ({ args: [option, STDIO_SERVER.join(' ')] }),
  defaults_file({ variable }, { url, folder }) {
    const headers = { Authorization: 'Bearer $BOSUN_TOKEN' }
    // Without trust its tools would ask, and as a command the agent cannot ask.
    const bosun = { httpUrl: `${url}/mcp`, headers, trust: true, alwaysLoadTools: true }
    const name = 'agent-defaults.json'
    return {
      env: { [variable]: join(folder, name) },
      files: { [name]: JSON.stringify({ mcpServers: { bosun } }) },
    }
  },
  json_variable({ variable, under }, { url, token, env }) {
    const before = jsonObject(env[variable]) ?? {}
    const headers = { Authorization: `Bearer ${token}` }
    const bosun =
      under === 'mcp_servers'
        ? codexServer(url)
        : { type: 'remote', url: `${url}/mcp`, headers, enabled: true }
    const others = before[under]
    const servers = { ...(isRecord(others) ? others : {}), bosun }
    return { env: { [variable]: JSON.stringify({ ...before, [under]: servers }) } }
  },
}

/** Its tools are neither asked about nor hidden behind a search. */
const codexServer = (url: string) => ({
  url: `${url}/mcp`,
  bearer_token_env_var: 'BOSUN_TOKEN',
  default_tools_approval_mode: 'approve',
  omit_tools_from: ['deferred'],
})

/** Serves the tools of the worker in whose environment it is started. */
export const STDIO_SERVER: readonly string[] = [join(PACKAGE_ROOT, 'bin', 'bosun'), 'mcp', '--worker']

/** Empty where it is not set. Null where it is set to something else: the agent may read it in another way, so it stays. */
function jsonObject(text: string | undefined): Fields | null {
  if (text === undefined || text.trim() === '') return {}
  const value = jsonIn(text)
  return isRecord(value) ? value : null
}
