/** All that a plan has changed, as its release gate judges it. */
import type { LetThrough } from '../gates/no-orphan-todo.ts'
import type { PlanState } from '../state/state.ts'
import type { WholeChange } from './effects.ts'

export const wholeChange = (state: PlanState): WholeChange => ({
  since: state.baseline?.sha ?? '',
  letThrough: todosLetThrough(state),
})

function todosLetThrough(state: PlanState): readonly LetThrough[] {
  return [...state.tasks.values()].flatMap(({ overrides, verdicts }) => {
    const by = overrides.find(({ what }) => what === 'no_orphan_todo')?.by
    if (by === undefined) return []
    const found = (verdicts ?? []).filter(({ gate }) => gate === 'no_orphan_todo')
    return found.flatMap(({ evidence }) =>
      evidence.findings.flatMap(({ weight, file, text }) =>
        weight === 'blocks' && file !== null ? [{ file, text, by }] : [],
      ),
    )
  })
}
