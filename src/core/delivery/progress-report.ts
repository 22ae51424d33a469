/** The progress report, in its fixed format. */
import { unfinished, type PlanState, type Risk, type TaskState } from '../state/state.ts'
import { confirmationOf, criteriaResults } from '../review/criteria-results.ts'
import { statusOf, type Status } from '../state/life.ts'

const SEVERITY = { critical: 0, normal: 1, low: 2 } as const

export function progressReport(state: PlanState): string {
  const { left, counts } = state
  const blocked = [...state.blocked].map((task) => `${task.spec.id} (${reason(task)})`)
  return [
    `PROGRESS — ${state.plan.title}`,
    `Completed: ${counts.completed}/${counts.completed + unfinished(state)} tasks`,
    `In progress: ${list([...state.active].map((task) => task.spec.id))}`,
    `Blocked: ${list(blocked)}`,
    `Unresolved risks: ${risks([...state.risks.values()])}`,
    `Estimated remaining: ${left.critical} critical, ${left.normal} normal, ${left.low} low`,
  ].join('\n')
}

const list = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join(', '))

const reason = (task: TaskState): string => task.cause?.kind.replaceAll('_', ' ') ?? 'rejected'

function risks(all: readonly Risk[]): string {
  const open = all.filter((risk) => risk.status === 'open')
  if (open.length === 0) return '0'
  const top = open.toSorted((a, b) => SEVERITY[a.severity] - SEVERITY[b.severity]).slice(0, 3)
  return `${open.length}: ${top.map((risk) => `${risk.description} (${risk.severity})`).join('; ')}`
}

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
