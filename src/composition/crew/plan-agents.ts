/** The agents of one plan: refused before any work where none could do it. */
import type { AgentTable } from '../../agents/agent-table.ts'
import {
  inheritWarnings,
  requiredRoles,
  unavailableAgents,
  usageReports,
  checkedChoices,
  type CheckedChoice,
} from '../../agents/required-agents.ts'
import type { PlanPlace } from '../../app/host/plan-place.ts'
import { budgetWarnings } from '../../core/crew/price-usage.ts'
import { planSettings } from '../../core/settings/plan-settings.ts'
import { Refusal } from '../../lib/refusal.ts'
import { agentsOf, hasScript, SCRIPTED, refuseWithoutAgent } from './agents-here.ts'
import type { Machine } from '../plan-world.ts'
import { AGENT_REMEDY, CHOICE_REMEDY } from '../start-refusals.ts'

export interface PlanAgents {
  readonly table: AgentTable
  /** A line each, shown when the plan begins. */
  readonly notices: () => readonly string[]
}

/** `env`: that of the plan's caller, with the variables of its agents. */
export async function planAgents(
  machine: Machine,
  place: PlanPlace,
  env: Readonly<Record<string, string | undefined>>,
): Promise<PlanAgents> {
  const { settings } = place.document
  const at = { root: place.repository.path, env }
  const table = await agentsOf(settings, { ...machine, ...at, state: machine.root })
  if (!place.hasBegun && machine.swap === undefined) refuseWithoutAgent(table, at)
  await requireAgent(table, place, env)
  const choices = place.hasBegun ? [] : await checkedChoices(settings, table, at)
  refuseChoices(choices)
  return {
    table,
    notices: () => [
      ...agentNotice(table, machine, place),
      ...budgetWarnings(planSettings(settings), usageReports(table)).map(({ message }) => message),
      ...choices.map(({ message }) => message),
      ...inheritWarnings(settings, table).map(({ message }) => message),
    ],
  }
}

/** Refuses a plan that no agent could work on. */
async function requireAgent(
  table: AgentTable,
  place: PlanPlace,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const where = { root: place.repository.path, path: env['PATH'] ?? '' }
  // A plan that has begun may never need another review; if it does, it stops there.
  const [first] = await unavailableAgents(table, where, place.hasBegun ? ['developer'] : requiredRoles(table))
  if (first === undefined) return
  throw new Refusal({ code: 'no_agent', message: first.message, remedy: AGENT_REMEDY, cause: first })
}

/** Before any work: an agent with another model than the one that was asked for is no substitute. */
function refuseChoices(choices: readonly CheckedChoice[]): void {
  const refused = choices.filter(({ kind }) => kind === 'refused')
  if (refused.length === 0) return
  const message = refused.map((one) => one.message).join('; ')
  throw new Refusal({ code: 'usage', message, remedy: CHOICE_REMEDY })
}

/** Which agent works where the settings name none. */
function agentNotice({ fallback }: AgentTable, { env }: Machine, place: PlanPlace): readonly string[] {
  const { agents, roles } = place.document.settings
  const isConfigured = Object.keys(agents).length > 0 || roles.developer !== undefined
  if (isConfigured || fallback === SCRIPTED || hasScript(place.repository.path, env)) return []
  return [`no agent configured; using ${fallback}, found on the PATH (set roles: in bosun.yaml)`]
}
