/** Work that had landed for a task before an edit of the plan made it run again: it may still be sufficient. */
import { asksForTheSame } from '../planning/compare-plans.ts'
import type { TaskSpec } from '../planning/plan.ts'

/** The last completion of a task that is run again. */
export interface DoneBefore {
  readonly spec: TaskSpec
  /** The files its work had changed. */
  readonly files: readonly string[]
}

/** What the gates may accept of it. */
export interface EarlierWork {
  /** Whether the contract still asks for the same; if not, a reviewer has to confirm the rest. */
  readonly asksTheSame: boolean
  readonly files: readonly string[]
  /** Tests required then and now: proven then, and not expected to fail on a base that contains the work. */
  readonly tests: readonly string[]
}

/** Null for a task that was never completed: changing nothing is then doing nothing. */
export function earlierWorkOf(spec: TaskSpec, before: DoneBefore | null): EarlierWork | null {
  if (before === null) return null
  return {
    asksTheSame: asksForTheSame(before.spec, spec),
    files: before.files,
    tests: spec.testsToAdd.filter((path) => before.spec.testsToAdd.includes(path)),
  }
}
