/** The question about checks that cannot run, or fail, at the start commit. */
import type { CheckTrial } from '../../event-schemas/baseline.ts'
import type { InboxItem } from '../../event-schemas/schemas.ts'
import { takenAs, undecided } from '../../gates/check-trials.ts'
import type { PlanState, Instant } from '../../state/state.ts'
import { newItem } from './inbox-items.ts'
import type { ChecksAtStart } from '../../decide/effects.ts'
import type { EventOf } from '../../events/plan-events.ts'

type Option = InboxItem['options'][number]

export function checksQuestion(state: PlanState, trials: readonly CheckTrial[]): InboxItem {
  const all = namesOf(trials)
  const kept = trials.filter((trial) => takenAs(trial) === 'as_is')
  const others = trials.filter((trial) => takenAs(trial) !== 'as_is')
  const [unnamed, red] = [kept.filter(isUnnamed), kept.filter((trial) => !isUnnamed(trial))]
  const asIs: Option = {
    key: 'as_is',
    label: [
      ...(red.length === 0
        ? []
        : [`accept the findings ${namesOf(red)} had at the start commit: only new ones fail`]),
      ...(unnamed.length === 0 ? [] : ['judge the tests by their exit code alone; the manifest records it']),
      ...(others.length === 0 ? [] : [`skip ${namesOf(others)}`]),
    ].join('; '),
  }
  const install: Option = {
    key: 'install',
    label: 'I have installed or fixed what is missing: run all checks again',
  }
  return newItem(state, {
    kind: 'question',
    subject: 'checks',
    problem: `before any work started: ${trials.map(formatTrial).join('; ')}`,
    impact: 'no worker starts until you decide',
    options: [
      install,
      ...(kept.length === 0 ? [] : [asIs]),
      { key: 'leave_out', label: `skip ${all} in this plan; the manifest records it` },
    ],
    recommended: kept.length === trials.length && !trials.some(hasNoPassingTest) ? 'as_is' : 'install',
  })
}

const hasNoPassingTest = ({ check, state }: CheckTrial): boolean => check === 'test' && state === 'red'
const isUnnamed = ({ state }: CheckTrial): boolean => state === 'unnamed'

const namesOf = (trials: readonly CheckTrial[]): string => trials.map(({ check }) => check).join(', ')

function formatTrial({ check, state, why }: CheckTrial): string {
  switch (state) {
    case 'cannot_run':
      return `${check} cannot run (${why})`
    case 'red':
      return check === 'test'
        ? `no test passes at the start commit (${why})`
        : `${check} fails at the start commit (${why})`
    case 'unnamed':
      return `${check} names no test (${why})`
    case 'unreadable':
      return `${check} fails at the start commit without naming what fails (${why})`
  }
}

/** A person's choices for checks that cannot run, or fail, at the start commit. */
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
