/** A plan and its tasks as JSON records, with the documented field names. */
import { iso } from '../../lib/text/format-time.ts'
import { MAX_INTEGRATION_ROUNDS } from '../state/budgets.ts'
import { decisionsIn } from '../state/decision-log.ts'
import { statusOf } from '../state/life.ts'
import { risksIn } from '../state/report-claims.ts'
import { standing } from './standing.ts'
import { unfinished, type Draft, type PlanState, type Risk, type TaskState } from '../state/state.ts'

export function taskRecord(state: PlanState, task: TaskState) {
  const { spec, tier, counters, draft, commit } = task
  const status = statusOf(task.step)
  return {
    task_id: spec.id,
    status,
    tier,
    /** Fix attempts so far; cleared by the commit, its history is in the decision log. */
    retry_count: status === 'completed' ? 0 : counters.fixes,
    decision_log: decisionsIn(task.decisions),
    /** Files that the work changed or its commit added. */
    artifacts: [...(draft?.changed ?? []), ...(commit?.artifacts ?? [])],
    known_risks: risksOf(state, task),
    review_notes: draft?.report?.reviewNote ?? null,
    commit_sha: commit?.sha ?? null,
    /** From the first dispatch to the passed gates. */
    duration_ms: task.durationMs,
    ownership: spec.ownership,
  }
}

/** Risks are recorded with the commit; before it they come from the worker's report. */
function risksOf(state: PlanState, task: TaskState): ReturnType<typeof riskRecord>[] {
  const known = [...state.risks.values()].filter((risk) => risk.sourceTask === task.spec.id)
  if (known.length > 0) return known.map(riskRecord)
  return risksIn(task.draft?.report ?? null).map((risk, place) => ({
    id: `risk-${task.spec.id}-${place + 1}`,
    ...risk,
    status: 'open',
    source_task: task.spec.id,
  }))
}

function riskRecord({ id, description, severity, status, sourceTask }: Risk) {
  return { id, description, severity, status, source_task: sourceTask }
}

export function planRecord(state: PlanState) {
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
    gate_results: byTask(
      tasks,
      ({ verdicts }) => verdicts?.map(({ gate, outcome, summary }) => ({ gate, outcome, summary })) ?? null,
    ),
    integration_results: integrationRecords(state),
    human_decisions: state.humanDecisions.map(({ at, task, ...rest }) => ({
      at: iso(at),
      ...rest,
      task_id: task,
    })),
  }
}

type Phase = 'audit' | 'execute' | 'decompose' | 'integrate' | 'release' | 'done' | 'cancelled'

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

function draftRecord({ worker, tree, changed, salvage, report }: Draft) {
  return {
    worker_id: worker,
    tree,
    files: [...changed],
    salvage,
    explanation: report?.explanation ?? null,
    self_assessment: report?.selfAssessment ?? null,
  }
}

function integrationRecords(state: PlanState) {
  const ran = [...state.layers].filter(([, layer]) => layer.runs > 0)
  return Object.fromEntries(
    ran.map(([name, { runs, results }]) => {
      const passed = results.every((result) => result.outcome === 'passed')
      return [name, { round: runs, passed, results: [...results] }]
    }),
  )
}
