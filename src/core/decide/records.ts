/** A plan and its tasks as JSON records, with the documented field names. */
import { MAX_INTEGRATION_ROUNDS } from '../state/budgets.ts'
import { decisionsIn, type Decision } from '../state/decision-log.ts'
import type { ReviewNote, Verdict } from '../event-schemas/schemas.ts'
import { statusOf, type Status } from '../state/life.ts'
import type { Tier } from '../planning/plan.ts'
import { risksIn } from '../state/report-claims.ts'
import { standing } from './standing.ts'
import { unfinished, type Draft, type PlanState, type Risk, type TaskState } from '../state/state.ts'

export const PHASES = ['audit', 'execute', 'decompose', 'integrate', 'release', 'done', 'cancelled'] as const
export type Phase = (typeof PHASES)[number]

export interface RiskRecord {
  readonly id: string
  readonly description: string
  readonly severity: Tier
  readonly status: Risk['status']
  readonly source_task: string
}

export interface TaskRecord {
  readonly task_id: string
  readonly status: Status
  readonly tier: Tier
  /** Fix attempts so far; cleared by the commit, its history is in the decision log. */
  readonly retry_count: number
  readonly decision_log: readonly Decision[]
  /** Files that the work changed or its commit added. */
  readonly artifacts: readonly string[]
  readonly known_risks: readonly RiskRecord[]
  readonly review_notes: ReviewNote | null
  readonly commit_sha: string | null
  /** From the first dispatch to the passed gates. */
  readonly duration_ms: number | null
  readonly ownership: string
}

export interface DraftRecord {
  readonly worker_id: string
  readonly tree: string
  readonly files: readonly string[]
  readonly salvage: string
  readonly explanation: string | null
  readonly self_assessment: string | null
}

export interface IntegrationRecord {
  readonly round: number
  readonly passed: boolean
  readonly results: readonly { readonly id: string; readonly outcome: string; readonly output: string }[]
}

export interface DecisionRecord {
  readonly at: number
  readonly item: string
  readonly task_id: string | null
  readonly choice: string
  readonly feedback: string
  readonly by: string
}

export interface PlanRecord {
  readonly plan_id: string
  readonly phase: Phase
  readonly baseline_sha: string | null
  readonly current_sha: string | null
  readonly current_task_id: string | null
  readonly blocked_reason: string | null
  readonly shared_context_block: string | null
  readonly unresolved_risks: readonly RiskRecord[]
  readonly checkpoint_tags: readonly string[]
  readonly drafts: Readonly<Record<string, DraftRecord>>
  readonly gate_results: Readonly<Record<string, readonly Verdict[]>>
  readonly integration_results: Readonly<Record<string, IntegrationRecord>>
  readonly human_decisions: readonly DecisionRecord[]
}

export function taskRecord(state: PlanState, task: TaskState): TaskRecord {
  const { spec, tier, counters, draft, commit } = task
  const status = statusOf(task.step)
  return {
    task_id: spec.id,
    status,
    tier,
    retry_count: status === 'completed' ? 0 : counters.fixes,
    decision_log: decisionsIn(task.decisions),
    artifacts: [...(draft?.changed ?? []), ...(commit?.artifacts ?? [])],
    known_risks: risksOf(state, task),
    review_notes: draft?.report?.reviewNote ?? null,
    commit_sha: commit?.sha ?? null,
    duration_ms: task.durationMs,
    ownership: spec.ownership,
  }
}

/** Risks are recorded with the commit; before it they come from the worker's report. */
function risksOf(state: PlanState, task: TaskState): RiskRecord[] {
  const known = [...state.risks.values()].filter((risk) => risk.sourceTask === task.spec.id)
  if (known.length > 0) return known.map(riskRecord)
  return risksIn(task.draft?.report ?? null).map((risk, place) => ({
    id: `risk-${task.spec.id}-${place + 1}`,
    ...risk,
    status: 'open',
    source_task: task.spec.id,
  }))
}

function riskRecord({ id, description, severity, status, sourceTask }: Risk): RiskRecord {
  return { id, description, severity, status, source_task: sourceTask }
}

export function planRecord(state: PlanState): PlanRecord {
  const [current] = state.active
  const tasks = [...state.tasks.values()]
  return {
    plan_id: state.plan.id,
    phase: phaseOf(state),
    baseline_sha: state.baseline?.sha ?? null,
    current_sha: state.currentSha,
    current_task_id: current?.spec.id ?? null,
    blocked_reason: blockedReason(state),
    shared_context_block: state.baseline?.contextBlock ?? null,
    unresolved_risks: [...state.risks.values()].filter((risk) => risk.status === 'open').map(riskRecord),
    checkpoint_tags: [...state.checkpointTags],
    drafts: byTask(tasks, (task) => (task.draft === null ? null : draftRecord(task.draft))),
    gate_results: byTask(tasks, (task) => task.verdicts),
    integration_results: integrationRecords(state),
    human_decisions: state.humanDecisions.map(({ task, ...rest }) => ({ ...rest, task_id: task })),
  }
}

/** The phase of the plan as a whole; the steps of its tasks give the details. */
export function phaseOf(state: PlanState): Phase {
  if (state.cancelled !== null) return 'cancelled'
  if (state.release.step === 'prepared' || state.release.step === 'signed') return 'done'
  if (state.baseline === null) return 'audit'
  const layers = [...state.layers.values()]
  const failed = layers.filter((layer) => layer.status === 'failed')
  const isDiagnosed = failed.some((layer) => layer.diagnoses < MAX_INTEGRATION_ROUNDS)
  if (state.rejected.size > 0 || isDiagnosed) return 'decompose'
  if (failed.length > 0 || layers.some((layer) => layer.status === 'due')) return 'integrate'
  return unfinished(state) === 0 ? 'release' : 'execute'
}

function blockedReason(state: PlanState): string | null {
  const now = standing(state)
  return now.state === 'running' || now.state === 'done' ? null : now.why
}

function byTask<T>(tasks: readonly TaskState[], of: (task: TaskState) => T | null): Record<string, T> {
  return Object.fromEntries(
    tasks.flatMap((task) => {
      const value = of(task)
      return value === null ? [] : [[task.spec.id, value] as const]
    }),
  )
}

function draftRecord({ worker, tree, changed, salvage, report }: Draft): DraftRecord {
  const explanation = report?.explanation ?? null
  return {
    worker_id: worker,
    tree,
    files: [...changed],
    salvage,
    explanation,
    self_assessment: report?.selfAssessment ?? null,
  }
}

function integrationRecords(state: PlanState): Record<string, IntegrationRecord> {
  const ran = [...state.layers].filter(([, layer]) => layer.runs > 0)
  return Object.fromEntries(
    ran.map(([name, { runs, results }]) => {
      const passed = results.every((result) => result.outcome === 'passed')
      return [name, { round: runs, passed, results: [...results] }]
    }),
  )
}
