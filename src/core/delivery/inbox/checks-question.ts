/** The one question about checks that cannot run, or are red, before anybody works. */
import type { CheckTrial } from '../../event-schemas/baseline.ts'
import type { InboxItem } from '../../event-schemas/schemas.ts'
import { takenAs } from '../../gates/check-trials.ts'
import type { PlanState } from '../../state/state.ts'
import { newItem } from './inbox-items.ts'

type Option = InboxItem['options'][number]

export function checksQuestion(state: PlanState, trials: readonly CheckTrial[]): InboxItem {
  const all = namesOf(trials)
  const kept = trials.filter((trial) => takenAs(trial) === 'as_is')
  const others = trials.filter((trial) => takenAs(trial) !== 'as_is')
  const [unnamed, red] = [kept.filter(isUnnamed), kept.filter((trial) => !isUnnamed(trial))]
  const asIs: Option = {
    key: 'as_is',
    label: [
      ...(red.length === 0 ? [] : [`take ${namesOf(red)} as at the start commit: only new findings fail`]),
      ...(unnamed.length === 0 ? [] : ['judge the tests by their exit code alone; the manifest says so']),
      ...(others.length === 0 ? [] : [`leave out ${namesOf(others)}`]),
    ].join('; '),
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

const isUnnamed = ({ state }: CheckTrial): boolean => state === 'unnamed'

const namesOf = (trials: readonly CheckTrial[]): string => trials.map(({ check }) => check).join(', ')

function words({ check, state, why }: CheckTrial): string {
  switch (state) {
    case 'cannot_run':
      return `${check} cannot run (${why})`
    case 'red':
      return `${check} fails at the start commit (${why})`
    case 'unnamed':
      return `${check} names no test (${why})`
    case 'unreadable':
      return `${check} fails at the start commit without naming what fails (${why})`
  }
}
