/** The command for some test files in a checkout. */
import { focusCommand, focusRunner } from '../../core/test-reports/focus-command.ts'
import { runnerStep } from '../../core/test-reports/runner.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { GateSite } from './gate-site.ts'

/** With all steps of the suite's command; null if it cannot be limited to files. */
export const focused = (site: GateSite, test: Command, paths: readonly string[]): Command | null =>
  focusCommand({ test, paths, script: site.script(test).script })

/** Without the steps before its runner, such as lint and build; null unless they have succeeded in this checkout. */
export function focusedRunner(site: GateSite, test: Command, paths: readonly string[]): Command | null {
  const runner = stepOf(site, test)
  return runner === null ? null : focusRunner(runner, paths)
}

/** Whether `focusedRunner` has an answer. */
export const isShortened = (site: GateSite, test: Command): boolean => stepOf(site, test) !== null

const stepOf = (site: GateSite, test: Command): string | null =>
  site.hasPassed(test) ? runnerStep({ test, ...site.script(test) }) : null
