/** The one question about checks that cannot run, or are red, before anybody works. */
import type { CheckTrial } from '../events/baseline.ts'
import type { InboxItem } from '../events/parts.ts'
import { takenAs } from '../gates/check-trials.ts'
import type { PlanState } from '../state.ts'
import { newItem } from './inbox-items.ts'

type Option = InboxItem['options'][number]

export function checksQuestion(state: PlanState, trials: readonly CheckTrial[]): InboxItem {
  const all = namesOf(trials)
  const kept = trials.filter((trial) => takenAs(trial) === 'as_is')
  const others = trials.filter((trial) => takenAs(trial) !== 'as_is')
  const asIs: Option = {
    key: 'as_is',
    label: `take ${namesOf(kept)} as at the start commit: only new findings fail${
      others.length === 0 ? '' : `; leave out ${namesOf(others)}`
    }`,
  }
  const install: Option = {
    key: 'install',
    label: 'I have installed or repaired what is missing: try all of them again',
  }
  return newItem(state, {
    kind: 'question',
    subject: 'checks',
    about: null,
    task: null,
    problem: `before any work: ${trials.map(words).join('; ')}`,
    impact: 'no worker is started before you decide',
    options: [
      install,
      ...(kept.length === 0 ? [] : [asIs]),
      { key: 'leave_out', label: `leave out ${all} in this plan; the manifest says so` },
    ],
    recommended: kept.length === trials.length ? 'as_is' : 'install',
    blocking: true,
  })
}

const namesOf = (trials: readonly CheckTrial[]): string => trials.map(({ check }) => check).join(', ')

function words({ check, state, why }: CheckTrial): string {
  switch (state) {
    case 'cannot_run':
      return `${check} cannot run (${why})`
    case 'red':
      return `${check} fails at the start commit (${why})`
    case 'unreadable':
      return `${check} fails at the start commit without naming what fails (${why})`
  }
}
