/** A person's choices for checks that cannot run, or fail, at the start commit. */
import type { ChecksAtStart } from '../../decide/effects.ts'
import type { CheckTrial } from '../../event-schemas/baseline.ts'
import type { EventOf } from '../../events/plan-events.ts'
import { takenAs, undecided } from '../../gates/check-trials.ts'
import type { Instant, PlanState } from '../../state/state.ts'

type Answer = EventOf<'inbox.answered'>

/** No worker starts while there are any. */
export const openTrials = ({ baseline, checkChoices }: PlanState): readonly CheckTrial[] =>
  undecided(baseline?.start?.trials ?? [], checkChoices)

export function answerChecks(state: PlanState, { choice, by }: Answer, at: Instant): void {
  const open = openTrials(state)
  if (choice !== 'install') {
    const made = open.map((trial) => {
      const { check, command, why, state: found } = trial
      const taken = choice === 'as_is' ? takenAs(trial) : 'left_out'
      return { check, command, why, by, at, choice: taken, state: found } as const
    })
    state.checkChoices = [...state.checkChoices, ...made]
  }
  // The other checks were not run without the set-up: a new baseline is taken.
  if (choice === 'install' || open.some(({ check }) => check === 'setup')) {
    state.baseline = null
    state.baselineRounds++
  }
}

/** A person's choices, for gates and workers; empty where none was needed. */
export function atStart(state: PlanState): { readonly atStart?: ChecksAtStart } {
  const { baseline, checkChoices: choices } = state
  const { tree, testCommand: test } = baseline?.start ?? {}
  if (tree === undefined || (choices.length === 0 && test === undefined)) return {}
  return { atStart: { tree, choices, ...(test === undefined ? {} : { test }) } }
}
