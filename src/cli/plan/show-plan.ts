/** `bosun plan`: shows the plan named on the command line, and runs nothing. */
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { readPlanFile, type PlanReading } from '../../app/plans/read-plan.ts'
import { readSettings } from '../../config/read-settings.ts'
import { findRepositoryRoot } from '../../config/repository.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { planDocument, planTable } from './plan-view.ts'
import type { Style } from '../terminal/terminal.ts'

export async function showPlan(call: Call): Promise<CommandResult> {
  const { plan, figures } = await readCalledPlan(call)
  const isBad = plan.problems.some((problem) => problem.severity === 'error')
  const { width } = call.terminal
  const text = (style: Style): string => planTable(plan, figures, { style, width })
  return resultOf(planDocument(plan), text, isBad ? 'failed' : 'ok')
}

/** Reads the plan named on the command line, with the settings of the current repository. */
export async function readCalledPlan(call: Call): Promise<PlanReading & { readonly settings: Settings }> {
  const { cwd, env } = call.terminal
  const [repository, settings] = await Promise.all([findRepositoryRoot(cwd), readSettings(cwd)])
  const reading = await readPlanFile({
    path: call.args[0] ?? '',
    cwd,
    env,
    repository,
    settings,
    readInput: (maxBytes) => call.terminal.readInput(maxBytes),
  })
  return { ...reading, settings }
}
