/** Refuses work where no coding agent is installed: the scripted one creates empty files. */
import type { Settings } from '../../core/settings/settings.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { AgentTable } from '../../agents/agent-table.ts'
import { agentsOf, hasScript, SCRIPTED, type AgentPlace } from './agents-here.ts'

const INSTALL_REMEDY =
  'Install one and sign in, for example: npm install -g @anthropic-ai/claude-code && claude. Or configure a command under `agents` in bosun.yaml.'

/** The scripted agent works where the settings name it or a script was written for it. It is no substitute. */
export function refuseWithoutAgent(
  { fallback, roles }: Pick<AgentTable, 'fallback' | 'roles'>,
  { root, env }: Pick<AgentPlace, 'root' | 'env'>,
): void {
  if (fallback !== SCRIPTED || roles.developer !== undefined || hasScript(root, env)) return
  throw new Refusal({
    code: 'no_agent',
    message: 'no coding agent is installed or configured',
    remedy: INSTALL_REMEDY,
  })
}

/** The same before there is a plan. */
export async function requireAgentAt(
  settings: Pick<Settings, 'agents' | 'roles'>,
  place: AgentPlace,
): Promise<void> {
  refuseWithoutAgent(await agentsOf(settings, place), place)
}
