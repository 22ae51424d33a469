/** Checks that cannot run or are red at the start commit; a person is asked about them once per plan. */
import type { CheckChoice, CheckName, CheckTrial } from '../event-schemas/baseline.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { isTestPath } from '../languages/paths.ts'
import { withErrorLine } from './command-output.ts'

const LONGEST_WHY = 300

/** A check judged by exit code; null if it passed, does not apply or was aborted. */
export function trialOf(check: CheckName, command: string, run: Verdict): CheckTrial | null {
  if (run.outcome !== 'failed' && run.outcome !== 'inconclusive') return null
  const last = run.evidence.runs.at(-1)
  if (last?.ending.kind === 'aborted') return null
  const state = run.outcome === 'failed' ? 'red' : 'cannot_run'
  const why = withErrorLine(run.summary, last?.keyLines ?? []).slice(0, LONGEST_WHY)
  return { check, state, command, why }
}

/** One failing test may be what the plan repairs; where several fail and none passes, they lack something to run with. */
const FAILING_ALONE = 2

/**
 * Null if the failing tests are known by name and others pass, or if there are no tests yet; else the suite cannot run, names
 * no tests, or lacks something.
 */
export function testTrial(suite: {
  readonly command: string
  readonly canRun: boolean
  /** By exit code. */
  readonly isGreen: boolean
  /** By exit code and report. */
  readonly isPassed: boolean
  readonly summary: string
  readonly failing: readonly string[]
  /** How many tests passed; null where unknown. */
  readonly passed: number | null
  readonly files: Iterable<string>
}): CheckTrial | null {
  const { command, canRun, isGreen, isPassed, summary, failing, passed, files } = suite
  const why = summary.slice(0, LONGEST_WHY)
  if (failing.length > 0)
    return passed === 0 && failing.length >= FAILING_ALONE
      ? { check: 'test', state: 'red', command, why }
      : null
  if (!canRun) return { check: 'test', state: 'cannot_run', command, why }
  if (isPassed || ![...files].some(isTestPath)) return null
  return { check: 'test', state: isGreen ? 'unnamed' : 'unreadable', command, why }
}

/** Trials without a choice; a choice applies only to the command it was made for. */
export const undecided = (
  trials: readonly CheckTrial[],
  choices: readonly CheckChoice[],
): readonly CheckTrial[] => trials.filter(({ check, command }) => choiceFor(choices, check, command) === null)

export const choiceFor = (
  choices: readonly CheckChoice[],
  check: CheckName,
  command: string,
): CheckChoice | null =>
  choices.findLast((choice) => choice.check === check && choice.command === command) ?? null

/**
 * The effect of "take it as it is": a red check is compared with its findings at the start, tests that fail with those that
 * failed there, unnamed passing tests are judged by exit code, and anything else is left out.
 */
export const takenAs = ({ check, state }: CheckTrial): CheckChoice['choice'] =>
  state === 'unnamed' || (state === 'red' && check !== 'setup') ? 'as_is' : 'left_out'
