/** Runs an agent without the user's own instructions, MCP servers, hooks and skills, as far as it can. */
import type { Settings } from '../core/settings/settings.ts'
import { inherits } from '../core/settings/role-settings.ts'
import type { AgentTable, ChosenAgent, OwnPart } from './agent-table.ts'
import { requiredRoles } from './required-agents.ts'

export function withoutOwnSetup(chosen: ChosenAgent): ChosenAgent {
  const { bare } = chosen
  if (bare === undefined) return chosen
  return {
    ...chosen,
    command: [...chosen.command, ...(bare.args ?? [])],
    env: { ...chosen.env, ...bare.env },
    ...(bare.meta === undefined
      ? {}
      : { acp: { ...chosen.acp, meta: merged(chosen.acp?.meta ?? {}, bare.meta) } }),
  }
}

type Fields = Readonly<Record<string, unknown>>

function merged(one: Fields, other: Fields): Fields {
  const both = Object.entries(other).map(([key, value]) => {
    const before = one[key]
    return [key, isFields(before) && isFields(value) ? merged(before, value) : value]
  })
  return { ...one, ...Object.fromEntries(both) }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const NAMES: Readonly<Record<OwnPart, string>> = {
  instructions: 'instructions',
  mcp: 'MCP servers',
  hooks: 'hooks',
  skills: 'skills',
}

/** What `inherit: false` cannot turn off, a line for each agent. */
export function inheritWarnings(
  settings: Pick<Settings, 'roles' | 'agents'>,
  table: AgentTable,
): readonly { readonly message: string; readonly remedy: string }[] {
  const bare = requiredRoles(table).flatMap((role) => {
    const agent = table.roles[role] ?? table.fallback
    return inherits(settings, { role, agent }) ? [] : [agent]
  })
  return [...new Set(bare)].flatMap((agent) => {
    const profile = Object.hasOwn(table.agents, agent) ? table.agents[agent] : undefined
    if (profile === undefined || profile.prints === 'unmetered') return []
    const keeps = profile.bare?.keeps ?? null
    if (keeps?.length === 0) return []
    const what =
      keeps === null
        ? `Bosun knows no way to run ${agent} without your own set-up`
        : `${agent} cannot be run without your own ${andJoined(keeps.map((part) => NAMES[part]))}`
    return [{ message: `inherit: false: ${what}`, remedy: 'Use another agent for the role, or accept it.' }]
  })
}

const andJoined = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
