/** The settings in effect in a folder, as rows, and the roles that they give to agents. */
import { isAbsolute } from 'node:path'
import { statSync } from 'node:fs'
import { brainFinding } from '../core/settings/brain-settings.ts'
import { detectCommands } from '../core/repository-facts/detect-commands.ts'
import { roleAgents } from '../core/settings/role-settings.ts'
import { settingsRows, type SettingRow } from '../core/settings/settings-rows.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Problem } from '../core/planning/plan.ts'
import { DEFAULT_SETTINGS } from './default-settings.ts'
import { findSettings, type FoundSettings } from './read-settings.ts'
import { repositoryListing } from './repository-listing.ts'
import { findRepositoryRoot } from './repository.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface ShownSettings {
  readonly file: string | null
  readonly problems: readonly Pick<Problem, 'line' | 'message' | 'remedy'>[]
  readonly rows: readonly SettingRow[]
}

/** Without a folder: the defaults. */
export async function showSettings(folder: string | null, env: Env): Promise<ShownSettings> {
  const found = folder === null ? null : await findSettings(existing(folder))
  const settings = found?.kind === 'valid' ? found.settings : DEFAULT_SETTINGS
  const written = found?.kind === 'valid' ? found.written : {}
  const detected = folder === null ? {} : await detectedIn(folder, env)
  const { provider, key } = brainFinding(settings.brain, env)
  const isVariable = provider !== 'none' && key !== null && settings.brain.key_command === null
  return {
    file: found === null || found.kind === 'absent' ? null : found.file,
    problems:
      found?.kind === 'invalid'
        ? found.problems.map(({ line, message, remedy }) => ({ line, message, remedy }))
        : [],
    rows: [
      ...settingsRows(settings, written, { ...detected }),
      ...(isVariable ? [{ key: 'brain key', value: key, from: 'environment' } as const] : []),
    ],
  }
}

/** The roles that bosun.yaml in a folder gives to an agent; none without a folder. */
export async function rolesIn(folder: string | null): Promise<(agent: string) => readonly string[]> {
  const found: FoundSettings | null = folder === null ? null : await findSettings(existing(folder))
  const roles = Object.entries(found?.kind === 'valid' ? roleAgents(found.settings.roles) : {})
  return (agent) => roles.filter(([, named]) => named === agent).map(([role]) => role)
}

/** Refuses what is no folder, so that it is not taken for a folder without settings. */
export function existing(folder: string): string {
  if (isAbsolute(folder) && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder
  throw new Refusal({
    code: 'not_found',
    message: `repo: there is no folder ${folder}`,
    remedy: 'Give the absolute path of a repository.',
  })
}

async function detectedIn(folder: string, env: Env) {
  const root = await findRepositoryRoot(folder, env)
  return root === null ? {} : detectCommands(await repositoryListing(root, env)).commands
}
