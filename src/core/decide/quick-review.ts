/** The review of low work: by the brain, which reads the change; without one nobody does, and the review says so. */
import { counted } from '../../lib/text/counted.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import { isReadByBrain, unnamedPaths } from '../review/review-need.ts'
import { NOBODY } from '../review/nobody.ts'
import type { PlanState, TaskState } from '../state/state.ts'
import { spentOnThinking } from './assess-failure.ts'
import type { ReviewArtifact } from './effects.ts'
import type { Obligation } from './owed.ts'

export function quickReview(state: PlanState, task: TaskState): Obligation {
  if (!isReadByBrain(state.settings)) return { decision: [unread(state, task)] }
  // A pause costs nothing.
  return state.paused === null ? { effect: askToReview(state, task) } : {}
}

function askToReview(state: PlanState, task: TaskState): ReviewArtifact {
  const { spec, attempt, draft, reviewRound } = task
  const round = reviewRound + 1
  return {
    kind: 'review_artifact',
    key: `review ${spec.id} ${attempt} ${round}`,
    spec,
    attempt,
    round,
    tree: draft?.tree ?? '',
    changed: draft?.changed ?? [],
    checked: checkedText(task),
    explanation: draft?.report?.explanation ?? null,
    passMinor: state.settings.passMinor === true,
    ...spentOnThinking(state),
  }
}

/** What was checked is listed as what it is. */
function unread({ settings }: PlanState, task: TaskState): PlanEvent {
  return {
    type: 'task.reviewed',
    v: 1,
    task: task.spec.id,
    attempt: task.attempt,
    round: task.reviewRound + 1,
    by: NOBODY,
    verdict: 'approved',
    summary: `${settings.reviewLow === 'checks' ? '' : 'not judged: no model; '}${checkedText(task)}`,
    issues: [],
  }
}

/** What the code has looked at, which is no judgement of the change. */
function checkedText(task: TaskState): string {
  const { draft } = task
  const { create, modify, delete: remove } = task.spec.files
  const named = create.length + modify.length + remove.length
  const unnamed = unnamedPaths(task).length
  const flagged = draft?.scan?.findings.length ?? 0
  const files = counted(draft?.changed.length ?? 0, 'file')
  return [
    `checked by code alone: ${files} changed`,
    named === 0
      ? 'the plan names none'
      : unnamed === 0
        ? 'all named by the plan'
        : `${unnamed} of them not named by the plan`,
    'no sign of a changed schema, public interface or of security',
    ...(flagged === 0 ? [] : [`${counted(flagged, 'line')} flagged`]),
  ].join(', ')
}
