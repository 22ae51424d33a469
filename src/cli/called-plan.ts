/** Reads the plan named on the command line, with the settings of the current repository. */
import { readPlanFile, type PlanReading } from '../app/plans/read-plan.ts'
import { readSettings } from '../config/read-settings.ts'
import { findRepositoryRoot } from '../config/repository.ts'
import type { Settings } from '../core/settings/settings.ts'
import type { Call } from './command.ts'

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
