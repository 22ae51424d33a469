/** Checks that cannot run, or are red, before anybody works: what a person is asked about them, once per plan. */
import type { CheckChoice, CheckName, CheckTrial } from '../event-schemas/baseline.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { isTestPath } from '../languages/paths.ts'
import { withTellingLine } from './key-lines.ts'

const LONGEST_WHY = 300

/** A check whose exit code tells: null where it passed, does not apply, or was cut short. */
export function trialOf(check: CheckName, command: string, run: Verdict): CheckTrial | null {
  if (run.outcome !== 'failed' && run.outcome !== 'inconclusive') return null
  const last = run.evidence.runs.at(-1)
  if (last?.ending.kind === 'aborted') return null
  const state = run.outcome === 'failed' ? 'red' : 'cannot_run'
  const why = withTellingLine(run.summary, last?.keyLines ?? []).slice(0, LONGEST_WHY)
  return { check, state, command, why }
}

/**
 * A suite whose failing tests are known by name is told apart by itself. One that cannot run, or names no test, red or
 * green, is asked about, unless there is nothing to test yet.
 */
export function testTrial(suite: {
  readonly command: string
  readonly canRun: boolean
  /** By its exit code. */
  readonly isGreen: boolean
  /** By what it reports as well. */
  readonly isPassed: boolean
  readonly words: string
  readonly failing: readonly string[]
  readonly files: Iterable<string>
}): CheckTrial | null {
  const { command, canRun, isGreen, isPassed, words, failing, files } = suite
  if (failing.length > 0) return null
  const why = words.slice(0, LONGEST_WHY)
  if (!canRun) return { check: 'test', state: 'cannot_run', command, why }
  if (isPassed || ![...files].some(isTestPath)) return null
  return { check: 'test', state: isGreen ? 'unnamed' : 'unreadable', command, why }
}

/** What is still to be asked: a choice holds for the command it was made for. */
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
 * What "take it as it is" comes to: findings can be compared where a check ran and was red, and the exit code counts of
 * tests that passed without a name.
 */
export const takenAs = ({ check, state }: CheckTrial): CheckChoice['choice'] =>
  state === 'unnamed' || (state === 'red' && check !== 'setup' && check !== 'test') ? 'as_is' : 'left_out'
