/** Interventions of the watch that are still in effect for running workers, counted by kind. */
import type { Intervention } from '../event-schemas/watch.ts'
import type { PlanState, TaskState } from '../state/state.ts'
import { see, type LiveMoment, type Moment } from './health.ts'
import { noInterventions, STOPPED } from './metrics.ts'
import { watchRules } from './rules.ts'

export function activeInterventions(
  state: PlanState,
  moment: Moment,
): Readonly<Record<Intervention, number>> {
  const counts = noInterventions()
  for (const task of state.active) {
    if (task.live === null) continue
    for (const how of inEffectFor(state, task, { ...moment, live: task.live })) counts[how]++
  }
  return counts
}

function inEffectFor(state: PlanState, task: TaskState, moment: LiveMoment): readonly Intervention[] {
  const { live } = moment
  const { watch, worker } = live
  const { sign, limitMs } = see(task, live, watchRules(state.settings), moment)
  // A message about silence is in effect until the worker shows life again.
  const isUnheeded = (about: string): boolean => (watch.sentAt[about] ?? -1) >= sign
  const isWarned = Object.keys(watch.sentAt).some((about) => about.endsWith(` of ${limitMs}`))
  const isEscalated = [...state.inbox.values()].some(
    ({ item }) => item.subject === 'worker' && item.about === worker,
  )
  const isHelped = watch.requests.some(({ by, answer }) => by === 'bosun' && answer === null)
  const stop = live.stopCause === null ? null : STOPPED[live.stopCause]
  return [
    ...(isWarned ? (['warn'] as const) : []),
    ...(isUnheeded('reminder') ? (['remind'] as const) : []),
    ...(isUnheeded('nudge') || isUnheeded('last nudge') ? (['nudge'] as const) : []),
    ...(isHelped ? (['help'] as const) : []),
    ...(isEscalated ? (['escalate'] as const) : []),
    ...(watch.extraMs > 0 ? (['extend'] as const) : []),
    ...(stop === null ? [] : [stop]),
  ]
}
