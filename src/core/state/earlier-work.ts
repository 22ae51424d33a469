/** What had landed for a task before an edit of the plan had it done again: a redo may find that it still fits. */
import { asksForTheSame } from '../planning/compare-plans.ts'
import type { TaskSpec } from '../planning/plan.ts'

/** How a task was completed last, before it was to be done again. */
export interface DoneBefore {
  readonly spec: TaskSpec
  /** What its work had changed by then. */
  readonly files: readonly string[]
}

/** What the gates may rest on of it. */
export interface EarlierWork {
  /** Whether the contract asks for what it asked for then; else somebody has to say where the rest is. */
  readonly asksTheSame: boolean
  readonly files: readonly string[]
  /** Tests that it asked for then and asks for now: shown then, and not to be red on a base that holds the work. */
  readonly tests: readonly string[]
}

/** Null for a task that was never completed: where nothing is changed, nothing is done. */
export function earlierWorkOf(spec: TaskSpec, before: DoneBefore | null): EarlierWork | null {
  if (before === null) return null
  return {
    asksTheSame: asksForTheSame(before.spec, spec),
    files: before.files,
    tests: spec.testsToAdd.filter((path) => before.spec.testsToAdd.includes(path)),
  }
}
