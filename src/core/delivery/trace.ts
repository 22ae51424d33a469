/** From a requirement to its story, tasks, tests and commits: one query on a plan's state. */
import { confirmationOf, criteriaResults } from '../review/criteria-results.ts'
import { statusOf, type Status } from '../state/life.ts'
import type { PlanState, TaskState } from '../state/state.ts'

/** One task for one requirement. */
export interface TraceRow {
  readonly requirement: string
  readonly story: string | null
  readonly task: string
  readonly title: string
  readonly status: Status
  /** Tests that the task adds. */
  readonly tests: readonly string[]
  /** Whether these tests were shown to pass; null before they were judged, and without tests. */
  readonly testsPass: boolean | null
  readonly criteria: { readonly total: number; readonly confirmed: number }
  /** What the release contains of it; null before it is committed. */
  readonly commit: string | null
}

/** By requirement, then in plan order. Tasks that were dropped from the plan are left out. */
export function traceOf(state: PlanState): readonly TraceRow[] {
  const rows = [...state.tasks.values()]
    .filter(({ dropped }) => !dropped)
    .flatMap((task) => (task.spec.requirements ?? []).map((requirement) => rowOf(requirement, task)))
  const order = [...new Set(rows.map(({ requirement }) => requirement))].sort(byId)
  return order.flatMap((id) => rows.filter(({ requirement }) => requirement === id))
}

const byId = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

function rowOf(requirement: string, task: TaskState): TraceRow {
  const { spec, commit, verdicts } = task
  const verdict = (verdicts ?? []).find(({ gate }) => gate === 'tests_to_add')
  const isJudged = verdict?.outcome === 'passed' || verdict?.outcome === 'failed'
  return {
    requirement,
    story: spec.story ?? null,
    task: spec.id,
    title: spec.title,
    status: statusOf(task.step),
    tests: spec.testsToAdd,
    testsPass: spec.testsToAdd.length > 0 && isJudged ? verdict.outcome === 'passed' : null,
    criteria: { total: spec.acceptanceCriteria.length, confirmed: confirmedIn(task) },
    commit: commit?.sha ?? null,
  }
}

function confirmedIn(task: TaskState): number {
  const { spec, verdicts, attempt } = task
  if (verdicts === null) return 0
  const results = criteriaResults({ spec, verdicts, confirmation: confirmationOf(task, attempt) })
  return results.filter(({ word }) => word === 'PASS').length
}
