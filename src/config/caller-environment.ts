/** Of a user's environment, what the agents of a repository's settings take, and the PATH to find programs on. */
import { possibleAgents, takenNames } from '../core/settings/agent-variables.ts'
import { KEY_VARIABLES } from '../core/settings/brain-settings.ts'
import type { Settings } from '../core/settings/settings.ts'
import { builtEnvironment, variablesOf } from '../lib/process/built-environment.ts'
import { findSettings } from './read-settings.ts'

export interface CallerEnvironment {
  readonly path: string
  readonly variables: Readonly<Record<string, string>>
}

type Env = Readonly<Record<string, string | undefined>>

export const callerEnvironment = (
  settings: Pick<Settings, 'agents' | 'roles'> & Partial<Pick<Settings, 'brain'>>,
  env: Env,
): CallerEnvironment => ({
  path: builtEnvironment(env)['PATH'] ?? '',
  variables: variablesOf(
    env,
    [...takenNames(possibleAgents(settings)), ...KEY_VARIABLES[settings.brain?.provider ?? 'none']].join(' '),
  ),
})

/** Invalid settings take no variables: a run with them is refused. */
export async function environmentHere(cwd: string, env: Env): Promise<CallerEnvironment> {
  const found = await findSettings(cwd)
  const from = found.kind === 'invalid' ? { PATH: env['PATH'] } : env
  return callerEnvironment(found.kind === 'valid' ? found.settings : { agents: {}, roles: {} }, from)
}
