/** What the settings say about a role: an agent by its name, or agent, model and effort. */
import type { Settings } from './settings.ts'

export interface RoleSetting {
  readonly agent: string | null
  readonly model: string | null
  readonly effort: string | null
}

type Roles = Settings['roles']
export type RoleName = keyof Roles

/** Whether a worker gets the user's own instructions, MCP servers, hooks and skills: by its role, else by its agent. */
export function inherits(
  { roles, agents }: Pick<Settings, 'roles' | 'agents'>,
  { role, agent }: { readonly role: RoleName; readonly agent: string },
): boolean {
  const ofRole = roles[role]
  const byRole = typeof ofRole === 'object' ? ofRole.inherit : undefined
  return byRole ?? (Object.hasOwn(agents, agent) ? agents[agent]?.inherit : undefined) ?? true
}

export function roleSetting(value: Roles[RoleName]): RoleSetting {
  if (value === undefined || typeof value === 'string')
    return { agent: value ?? null, model: null, effort: null }
  const { agent = null, model = null, effort = null } = value
  return { agent, model, effort }
}

/** The roles that the settings say something about. */
export function roleSettings(roles: Partial<Roles>): Readonly<Partial<Record<RoleName, RoleSetting>>> {
  const configured = Object.entries(roles).filter(([, value]) => value !== undefined)
  return Object.fromEntries(configured.map(([role, value]) => [role, roleSetting(value)]))
}

/** The agent of each role that has one. */
export function roleAgents(roles: Partial<Roles>): Readonly<Partial<Record<RoleName, string>>> {
  const configured = Object.entries(roleSettings(roles)).flatMap(([role, { agent }]) =>
    agent === null ? [] : [[role, agent] as const],
  )
  return Object.fromEntries(configured)
}
