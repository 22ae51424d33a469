/** What a person sees before deciding: the task, the work, and the evidence behind each claim. */
import { MAX_REVISIONS } from '../../state/budgets.ts'
import { decisionsIn } from '../../state/decision-log.ts'
import type { InboxItem } from '../../event-schemas/schemas.ts'
import type { PlanState, TaskState } from '../../state/state.ts'
import { confirmationOf, criteriaResults } from '../../review/criteria-results.ts'
import { tasksBehind } from './blocked-tasks.ts'

const SHOWN_DECISIONS = 12

export function reviewSheet(state: PlanState, item: InboxItem) {
  const task = item.task === null ? undefined : state.tasks.get(item.task)
  if (task !== undefined) {
    return {
      task: taskSheet(task),
      /** Of the task, or of the release gate. */
      gates: task.verdicts ?? [],
      overrides: task.overrides,
      risks: [...state.risks.values()].filter(({ sourceTask }) => sourceTask === task.spec.id),
      /** Tasks that cannot start before this is decided. */
      blocks: tasksBehind(state, task),
    }
  }
  const { release } = state
  const overrides = [...state.tasks.values()].flatMap((one) => one.overrides)
  return {
    /** The item is about the whole plan. */
    task: null,
    gates: release.verdicts ?? [],
    overrides: [...overrides, ...release.overrides],
    risks: [...state.risks.values()],
    blocks: [],
  }
}

export type TaskSheet = ReturnType<typeof taskSheet>

function taskSheet(task: TaskState) {
  const { spec, draft, review } = task
  return {
    id: spec.id,
    title: spec.title,
    tier: task.tier,
    attempt: task.attempt,
    revisions: { used: task.counters.revisions, most: MAX_REVISIONS },
    worker: draft?.worker ?? null,
    files: draft?.changed ?? [],
    /** The worker's report; not evidence. */
    claim: draft?.report ?? null,
    criteria: criteriaResults({
      spec,
      verdicts: task.verdicts ?? [],
      confirmation: confirmationOf(task, task.attempt),
    }),
    review:
      review === null
        ? null
        : { by: review.by, verdict: review.verdict, summary: review.summary, issues: review.issues },
    /** The latest decisions about it, in order. */
    decisions: decisionsIn(task.decisions).slice(-SHOWN_DECISIONS),
  }
}
