/** The review of low work: by a model where one is configured, else by the rules. */
import { counted } from '../../lib/text/counted.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import type { PlanState, TaskState } from '../state/state.ts'
import { spentOnThinking } from './assess-failure.ts'
import type { ReviewArtifact } from './effects.ts'
import type { Share } from './owed.ts'

export function quickReview(state: PlanState, task: TaskState): Share {
  const { settings } = state
  const isAsked = settings.brainReviews === true && settings.reviewByRules !== true
  if (!isAsked) return { decision: [readByRules(task)] }
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
    flagged: draft?.scan?.findings.length ?? 0,
    explanation: draft?.report?.explanation ?? null,
    passMinor: state.settings.passMinor === true,
    ...spentOnThinking(state),
  }
}

/** The gates have checked the change against its contract; the review by rules only summarizes it. */
function readByRules({ spec, attempt, draft, reviewRound }: TaskState): PlanEvent {
  const files = draft?.changed.length ?? 0
  const found = draft?.scan?.findings.length ?? 0
  const seen = found === 0 ? '' : `, ${counted(found, 'line')} flagged`
  return {
    type: 'task.reviewed',
    v: 1,
    task: spec.id,
    attempt,
    round: reviewRound + 1,
    by: 'rules',
    verdict: 'approved',
    summary: `reviewed by the rules: ${counted(files, 'file')} changed${seen}`,
    issues: [],
  }
}
