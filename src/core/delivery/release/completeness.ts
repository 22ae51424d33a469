/** Which acceptance criteria of a release are confirmed. */
import type { PlanState, TaskState } from '../../state/state.ts'
import { confirmationOf, criteriaResults } from '../../review/criteria-results.ts'

export interface OpenCriterion {
  readonly task: string
  readonly criterion: string
  /** `file:line`; null for an unmapped criterion. */
  readonly place: string | null
  readonly why: string
}

/**
 * The number of criteria of all released tasks, how many are confirmed, and the others, including unmapped ones. A task
 * that existed already rests on the evidence of its audit.
 */
export function completenessOf(state: PlanState) {
  const tasks = [...state.tasks.values()].filter(({ dropped }) => !dropped)
  const total = tasks.reduce((sum, { spec }) => sum + spec.acceptanceCriteria.length, 0)
  const open = tasks.flatMap(openCriteria)
  return { total, passed: total - open.length, open }
}

function openCriteria(task: TaskState): readonly OpenCriterion[] {
  if (task.commit === null) return []
  const { spec, verdicts, attempt } = task
  const results = criteriaResults({
    spec,
    verdicts: verdicts ?? [],
    confirmation: confirmationOf(task, attempt),
  })
  return results.flatMap(({ criterion, word, place, why }) =>
    word === 'PASS' ? [] : [{ task: spec.id, criterion, place, why }],
  )
}

/** Criteria without a place, except those of tasks whose plan_alignment a person overrode. */
export function unmappedCriteria(state: PlanState): readonly OpenCriterion[] {
  const isOverridden = (id: string): boolean =>
    state.tasks.get(id)?.overrides.some(({ what }) => what === 'plan_alignment') === true
  return completenessOf(state).open.filter(({ task, place }) => place === null && !isOverridden(task))
}
