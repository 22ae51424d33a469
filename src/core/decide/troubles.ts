/** Owed effects that failed last time: what, why, and when they are retried. */
import { describeEffect } from '../state/describe-effect.ts'
import type { Effect } from './effects.ts'
import { owedByPlan } from './owed-plan.ts'
import { owedByTask } from './owed-task.ts'
import type { Instant, PlanState } from '../state/state.ts'

export type TroubledEffect = ReturnType<typeof troublesIn>[number]

/** `task` is null for effects of the plan as a whole. Failures of effects that are no longer owed are left out. */
export function troublesIn(state: PlanState, now: Instant) {
  if (state.trouble.size === 0) return []
  const observed = { since: now, workers: new Map() }
  const ofTasks = [...state.active].map((task) => owedByTask(state, task, { now, observed }))
  const shares = [...ofTasks, ...(state.cancelled === null ? owedByPlan(state) : [])]
  return shares.flatMap(({ effect }) => {
    const trouble = effect === undefined ? undefined : state.trouble.get(effect.key)
    if (effect === undefined || trouble === undefined) return []
    const { reason, failures, notBefore: retryAt } = trouble
    return [{ task: taskOf(effect), what: describeEffect(effect), reason, failures, retryAt }]
  })
}

function taskOf(effect: Effect): string | null {
  if ('spec' in effect) return effect.spec.id
  return 'task' in effect ? effect.task : null
}
