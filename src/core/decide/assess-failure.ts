/**
 * Whether the brain is asked about a failed attempt, and what its proposal may change: it can ask a person sooner and
 * give the next worker advice. Whether another attempt is allowed is decided before, by the budgets alone.
 */
import { MAX_RESTARTS } from '../state/budgets.ts'
import { NOT_STARTED } from '../delivery/not-started.ts'
import type { Cause, DispatchReason, Verdict } from '../event-schemas/schemas.ts'
import type { PlanState, TaskState } from '../state/state.ts'
import type { AssessFailure, StartWorker } from './effects.ts'

interface Failure {
  readonly cause: Cause
  /** Of the attempt that the rules allow. */
  readonly reason: DispatchReason
}

/** The question that is due; `escalate` where the proposal is to ask a person; null where the rules go on. */
export function assessment(
  state: PlanState,
  task: TaskState,
  failure: Failure,
): AssessFailure | 'escalate' | null {
  if (state.settings.brainAssesses !== true || !isWorthAsking(failure.cause)) return null
  const attemptsLeft = attemptsLeftFor(state, task, failure.reason)
  if (attemptsLeft === null) return null
  const { spec, attempt } = task
  const made = task.thinking?.assessment ?? null
  if (made?.attempt === attempt) return made.proposal === 'escalate' ? 'escalate' : null
  return {
    kind: 'assess_failure',
    key: `assess ${spec.id} ${attempt}`,
    spec,
    attempt,
    cause: failure.cause,
    failed: failedVerdicts(task),
    attemptsLeft,
    ...spentOnThinking(state),
  }
}

/** The evidence goes to the next worker as it is. */
export const isUnjudged = (state: PlanState, cause: Cause): boolean =>
  state.settings.brainAssesses !== true && isWorthAsking(cause)

/** What failed in the work. Who was stopped, limited or never started says nothing about it. */
function isWorthAsking(cause: Cause): boolean {
  switch (cause.kind) {
    case 'gates_failed':
    case 'changes_requested':
    case 'refused':
    case 'nothing_done':
      return true
    case 'lost':
      return !cause.reason.startsWith(NOT_STARTED)
    case 'blocked':
    case 'conflict':
    case 'gates_inconclusive':
    case 'interrupted':
    case 'limited':
    case 'looping':
    case 'over_budget':
    case 'plan_edited':
    case 'restarted':
    case 'reviewer_lost':
    case 'stopped_for_pause':
    case 'unclear':
      return false
  }
}

/** Null for an attempt that uses no budget. */
function attemptsLeftFor(
  { settings }: PlanState,
  { counters }: TaskState,
  reason: DispatchReason,
): number | null {
  switch (reason) {
    case 'fix':
      return settings.fixAttempts - counters.fixes
    case 'rework':
      return settings.reworks - counters.reworks
    case 'restart':
      return MAX_RESTARTS - counters.restarts
    case 'first':
    case 'again':
    case 'retry':
    case 'revise':
      return null
  }
}

export const failedVerdicts = ({ verdicts }: TaskState): readonly Verdict[] =>
  (verdicts ?? []).filter(({ outcome }) => outcome === 'failed')

/** Of the attempt before. */
export function adviceFor({ thinking, attempt }: TaskState): Pick<StartWorker['context'], 'advice'> {
  const made = thinking?.assessment ?? null
  return made?.attempt === attempt - 1 && made.advice !== null ? { advice: made.advice } : {}
}

export const spentOnThinking = ({ thinking }: PlanState): { readonly spentUsd: number } => ({
  spentUsd: thinking.spent.usd,
})
