/** What `bosun run` would refuse here, found by the code that refuses it; doctor reports it. */
import { agentTable } from '../agents/agent-table.ts'
import { unavailableAgents } from '../agents/required-agents.ts'
import type { Settings } from '../core/settings/settings.ts'
import { openFilesLimit, refuseFewOpenFiles } from '../lib/files/open-files.ts'
import { Refusal } from '../lib/refusal.ts'
import type { StartRefusal } from '../ports/machine.ts'
import { Git, surroundingsIn } from '../workspaces/git/git.ts'
import { openUserRepository } from '../workspaces/user-repository.ts'

export const AGENT_REMEDY = 'Configure a command under `agents` in bosun.yaml, and assign it under `roles`.'

/** The agents that plans with these settings use. */
export const agentsOf = (
  settings: Pick<Settings, 'agents' | 'roles'>,
  scripted: readonly string[],
): ReturnType<typeof agentTable> =>
  agentTable({
    settings,
    builtIn: { scripted: { protocol: 'command', command: scripted } },
    fallback: Object.keys(settings.agents)[0] ?? 'scripted',
  })

export async function startRefusals(place: {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Null where the settings themselves are invalid. */
  readonly settings: Settings | null
}): Promise<readonly StartRefusal[]> {
  const { root, env, settings } = place
  const found: StartRefusal[] = []
  try {
    await openUserRepository(new Git(surroundingsIn(env)), root)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const remedy = error instanceof Refusal ? error.remedy : 'Run `git status` there.'
    found.push({ about: 'repository', message, remedy })
  }
  try {
    refuseFewOpenFiles(openFilesLimit())
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    found.push({ about: 'daemon', message: error.message, remedy: error.remedy })
  }
  if (settings !== null) {
    // The built-in agent is this program, which exists.
    const table = agentsOf(settings, [process.execPath])
    for (const { message } of await unavailableAgents(table, { root, path: env['PATH'] ?? '' }))
      found.push({ about: 'agents', message, remedy: AGENT_REMEDY })
  }
  return found
}
