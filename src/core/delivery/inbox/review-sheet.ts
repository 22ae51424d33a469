/** What a person sees before deciding: the task, the work, and the evidence behind each claim. */
import { MAX_REVISIONS } from '../../state/budgets.ts'
import { decisionsIn } from '../../state/decision-log.ts'
import type { InboxItem, Report, ReviewIssue, Verdict } from '../../event-schemas/schemas.ts'
import type { Override, PlanState, Risk, TaskState } from '../../state/state.ts'
import { confirmationOf, criteriaResults, type CriterionResult } from '../../review/criteria-results.ts'

export interface ReviewSheet {
  /** Null for items about the whole plan. */
  readonly task: TaskSheet | null
  /** Of the task, or of the release gate. */
  readonly gates: readonly Verdict[]
  readonly overrides: readonly Override[]
  readonly risks: readonly Risk[]
  /** Tasks that cannot start before this is decided. */
  readonly blocks: readonly string[]
}

export interface TaskSheet {
  readonly id: string
  readonly title: string
  readonly tier: string
  readonly attempt: number
  readonly revisions: { readonly used: number; readonly most: number }
  readonly worker: string | null
  readonly files: readonly string[]
  /** From the worker's report; not evidence. */
  readonly claim: Pick<Report, 'explanation' | 'selfAssessment' | 'blockers'> | null
  readonly criteria: readonly CriterionResult[]
  readonly review: {
    readonly by: string
    readonly verdict: string
    readonly summary: string
    readonly issues: readonly ReviewIssue[]
  } | null
  /** The latest decisions about it, in order. */
  readonly decisions: readonly { readonly at: number; readonly text: string }[]
}

const SHOWN_DECISIONS = 12

export function reviewSheet(state: PlanState, item: InboxItem): ReviewSheet {
  const task = item.task === null ? undefined : state.tasks.get(item.task)
  if (task !== undefined) {
    return {
      task: taskSheet(task),
      gates: task.verdicts ?? [],
      overrides: task.overrides,
      risks: [...state.risks.values()].filter(({ sourceTask }) => sourceTask === task.spec.id),
      blocks: behind(state, task),
    }
  }
  const { release } = state
  const overrides = [...state.tasks.values()].flatMap((one) => one.overrides)
  return {
    task: null,
    gates: release.verdicts ?? [],
    overrides: [...overrides, ...release.overrides],
    risks: [...state.risks.values()],
    blocks: [],
  }
}

function taskSheet(task: TaskState): TaskSheet {
  const { spec, draft, review } = task
  const report = draft?.report ?? null
  return {
    id: spec.id,
    title: spec.title,
    tier: task.tier,
    attempt: task.attempt,
    revisions: { used: task.counters.revisions, most: MAX_REVISIONS },
    worker: draft?.worker ?? null,
    files: draft?.changed ?? [],
    claim:
      report === null
        ? null
        : {
            explanation: report.explanation,
            selfAssessment: report.selfAssessment,
            blockers: report.blockers,
          },
    criteria: criteriaResults({
      spec,
      verdicts: task.verdicts ?? [],
      confirmation: confirmationOf(task, task.attempt),
    }),
    review:
      review === null
        ? null
        : { by: review.by, verdict: review.verdict, summary: review.summary, issues: review.issues },
    decisions: decisionsIn(task.decisions).slice(-SHOWN_DECISIONS),
  }
}

/** The task's direct and indirect dependents, in the order found. */
function behind(state: PlanState, task: TaskState): readonly string[] {
  const seen = new Set<TaskState>([task])
  for (const one of seen) {
    for (const dependent of state.dependents.of(one)) if (!dependent.dropped) seen.add(dependent)
  }
  seen.delete(task)
  return [...seen].map(({ spec }) => spec.id)
}
