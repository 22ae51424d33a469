/** Whether everything that a plan asked for is in its release: each criterion of each task, and what speaks for it. */
import type { PlanState, TaskState } from '../../state/state.ts'
import { confirmationOf, criteriaResults } from '../../review/criteria-results.ts'

export interface OpenCriterion {
  readonly task: string
  readonly criterion: string
  /** `file:line`; null where none is known: it is not mapped. */
  readonly place: string | null
  readonly why: string
}

export interface Completeness {
  readonly total: number
  readonly passed: number
  /** Those that nothing confirms, unmapped ones as well. */
  readonly open: readonly OpenCriterion[]
}

/** Of all tasks that are part of the release. What was found to exist rests on the evidence of the first look. */
export function completenessOf(state: PlanState): Completeness {
  const tasks = [...state.tasks.values()].filter(({ dropped }) => !dropped)
  const total = tasks.reduce((sum, { spec }) => sum + spec.acceptanceCriteria.length, 0)
  const open = tasks.flatMap(openCriteria)
  return { total, passed: total - open.length, open }
}

function openCriteria(task: TaskState): readonly OpenCriterion[] {
  if (task.commit === null) return []
  const { spec, verdicts, attempt } = task
  const told = criteriaResults({
    spec,
    verdicts: verdicts ?? [],
    confirmation: confirmationOf(task, attempt),
  })
  return told.flatMap(({ criterion, word, place, why }) =>
    word === 'PASS' ? [] : [{ task: spec.id, criterion, place, why }],
  )
}

/** Criteria without a place, but for those of work whose mapping a person let through. */
export function unmappedCriteria(state: PlanState): readonly OpenCriterion[] {
  const isLetThrough = (id: string): boolean =>
    state.tasks.get(id)?.overrides.some(({ what }) => what === 'plan_alignment') === true
  return completenessOf(state).open.filter(({ task, place }) => place === null && !isLetThrough(task))
}
