/** Finds a command that names the tests of the start commit, where the detected one does not. */
import type { CheckTrial } from '../../core/event-schemas/baseline.ts'
import { testTrial } from '../../core/gates/check-trials.ts'
import type { Listing } from '../../core/repository-facts/detect-commands.ts'
import { testCandidates } from '../../core/repository-facts/test-candidates.ts'
import { commandText } from '../../core/test-reports/focus-command.ts'
import { reportHintOf } from '../../core/test-reports/test-report.ts'
import { isTestPath } from '../../core/languages/paths.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { Commands } from '../runner/commands.ts'
import type { SuiteResult } from '../runner/test-run.ts'

export interface FoundTests {
  readonly commands: Commands
  readonly suite: SuiteResult | null
  /** The command, where it is not the detected one. */
  readonly other: string | null
  /** Commands that named no test either, with why. */
  readonly tried: readonly string[]
}

/** Never called where a person has set the command. */
export async function findTests(of: {
  readonly commands: Commands
  readonly suite: SuiteResult | null
  readonly listing: Listing
  readonly run: (commands: Commands) => Promise<SuiteResult | null>
}): Promise<FoundTests> {
  const { commands, suite, listing, run } = of
  const tried: string[] = []
  for (const command of namesNoTest(commands, suite, listing.files) ? testCandidates(listing) : []) {
    const other = commandText(command)
    const next = withTest(commands, command)
    const result = await run(next)
    const known = Math.max(1, suite?.counts?.run ?? 0)
    const isFound = (result?.counts?.run ?? 0) >= known && !namesNoTest(next, result, listing.files)
    if (isFound) return { commands: next, suite: result, other, tried }
    tried.push(`${other} (${result?.trial?.summary ?? 'it did not run'})`)
  }
  return { commands, suite, other: null, tried }
}

export const withTest = (commands: Commands, command: Command): Commands => ({
  ...commands,
  test: { command, hint: reportHintOf(undefined) },
})

/**
 * Also where there is no command although there are tests, and where several fail and none passes, which the right command
 * would hardly do. A set-up that fails says nothing about the command.
 */
function namesNoTest(commands: Commands, suite: SuiteResult | null, files: ReadonlySet<string>): boolean {
  if (commands.test === null) return [...files].some(isTestPath)
  const trial = suiteTrial(commands, suite, files)
  return trial !== null && (trial.state !== 'red' || suite?.counts?.passed === 0)
}

/** Null where a person need not be asked about the tests. */
export function suiteTrial(
  { test }: Commands,
  suite: SuiteResult | null,
  files: ReadonlySet<string>,
): CheckTrial | null {
  if (test === null || suite?.trial === undefined) return null
  return testTrial({
    ...suite.trial,
    command: commandText(test.command),
    isGreen: suite.isGreen,
    isPassed: suite.outcome === 'passed',
    failing: suite.base.failing,
    passed: suite.counts?.passed ?? null,
    files,
  })
}
