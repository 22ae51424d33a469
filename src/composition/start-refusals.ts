/** What `bosun run` would refuse here, found by the code that refuses it; doctor reports it. */
import { AgentFinder } from '../agents/profiles/find-agents.ts'
import {
  unavailableAgents,
  usageReports,
  checkedChoices,
  inheritWarnings,
} from '../agents/required-agents.ts'
import { keyProblem } from '../brain/read-key.ts'
import { budgetWarnings } from '../core/crew/price-usage.ts'
import { planSettings } from '../core/settings/plan-settings.ts'
import type { Settings } from '../core/settings/settings.ts'
import { openFilesLimit, refuseFewOpenFiles } from '../lib/files/open-files.ts'
import { Refusal } from '../lib/refusal.ts'
import type { StartRefusal } from '../ports/machine.ts'
import { Git, surroundingsIn } from '../workspaces/git/git.ts'
import { openUserRepository } from '../workspaces/user-repository.ts'
import { AGENT_REMEDY, agentsOf, CHOICE_REMEDY } from './crew/plan-agents.ts'

/** Of a look at it; a question waits longer. */
const KEY_MS = 10_000
const KEY_REMEDY =
  'Run it in a terminal and correct brain.key_command in bosun.yaml: until it prints a key, nobody judges.'

export async function startRefusals(place: {
  readonly root: string
  /** The state root. */
  readonly state: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Null where the settings themselves are invalid. */
  readonly settings: Settings | null
}): Promise<readonly StartRefusal[]> {
  const { root, state, env, settings } = place
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
    const table = await agentsOf(settings, {
      root,
      state,
      env,
      scripted: [process.execPath],
      finder: new AgentFinder({ root: state, node: process.execPath }),
    })
    for (const { message } of await unavailableAgents(table, { root, path: env['PATH'] ?? '' }))
      found.push({ about: 'agents', message, remedy: AGENT_REMEDY })
    for (const warning of budgetWarnings(planSettings(settings), usageReports(table)))
      found.push({ about: 'budgets', ...warning })
    for (const { kind, message } of await checkedChoices(settings, table, { root, env }))
      found.push({ about: kind === 'ignored' ? 'models' : 'agents', message, remedy: CHOICE_REMEDY })
    for (const warning of inheritWarnings(settings, table)) found.push({ about: 'inherit', ...warning })
    const noKey = await keyProblem({ brain: settings.brain, env, folder: root, timeoutMs: KEY_MS })
    if (noKey !== null) found.push({ about: 'brain', message: noKey, remedy: KEY_REMEDY })
  }
  return found
}
