/** What doctor says of the commands that it ran once. */
import type { TriedCommand } from '../../ports/command-trial.ts'
import { ok, warning, type Check } from './check.ts'

/** One row a command: a plan asks about failing ones before work begins. */
export function checkCommands(tried: readonly TriedCommand[]): readonly Check[] {
  return tried.map(({ check, command, outcome, why, insteadOf, byExitCode }) => {
    switch (outcome) {
      case 'passed':
        if (byExitCode !== undefined) return checkExitCode(command, byExitCode.failsWith)
        return ok(
          check,
          `${command}: works at the newest commit${insteadOf === undefined ? '' : ` (${insteadOf})`}`,
        )
      case 'failed':
        return warning(
          check,
          `red at the newest commit: ${why}`,
          check === 'test' || check === 'setup'
            ? 'A plan asks about it before work begins, unless it names the failing tests: those do not count against the work.'
            : 'Only new findings will count; where bosun.yaml sets the command, a plan asks first.',
        )
      case 'unnamed':
        return warning(
          check,
          `passes at the newest commit without naming a test: ${why}`,
          `Set environment.test to a command whose report can be read ({ command, report: tap }, say), or ${
            (byExitCode?.failsWith ?? null) === null
              ? 'decide when a plan asks: the exit code alone counts, or it is left out.'
              : 'to { command, report: exit }, as `bosun init` does: the exit code alone counts then.'
          }`,
        )
      case 'cannot_run':
        return warning(
          check,
          `cannot run: ${why}`,
          `Install what is missing, or set environment.${check} in bosun.yaml: another command, or null for none.`,
        )
      case 'not_tried':
        return warning(check, `${command}: not tried, since ${why}`, 'Fix the set-up first.')
    }
  })
}

function checkExitCode(command: string, failsWith: string | null): Check {
  const message = `${command}: works at the newest commit, and counts by its exit code alone (report: exit)`
  return failsWith === null
    ? warning(
        'test',
        `${message}; no broken test was seen to make it fail, so it proves nothing`,
        'Correct the command so that a failing test ends it with another code than 0, or set one whose report can be read.',
      )
    : ok('test', `${message}; ${failsWith}, broken, makes it fail`)
}
