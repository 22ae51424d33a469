/** What the budgets allow after a failed attempt: another one, from when and why, or a person. */
import { backoffMs, MAX_INTERRUPTIONS, MAX_RESTARTS } from '../state/budgets.ts'
import type { Cause, DispatchReason } from '../event-schemas/schemas.ts'
import { lastWordsOf } from '../state/report-claims.ts'
import { NOTHING_SPENT } from '../state/spending.ts'
import type { Instant, PlanState, TaskState } from '../state/state.ts'
import { isCommon } from '../watch/providers/breaker.ts'
import { taskOverrun } from '../watch/costs.ts'
import { isBeyondWorkers } from '../gates/written-findings.ts'

export interface Relaunch {
  readonly reason: DispatchReason
  readonly notBefore: Instant
  readonly why: string
}

export function nextMove(state: PlanState, task: TaskState, cause: Cause): Relaunch | 'escalate' {
  const { counters, stepSince } = task
  const { fixAttempts, reworks } = state.settings
  const again = (why: string): Relaunch => ({ reason: 'again', notBefore: stepSince, why })
  // A common failure is retried at no cost whenever the breaker allows a probe.
  if (isCommon(state, cause)) return again('probe: do workers still fail the same way')
  switch (cause.kind) {
    case 'gates_failed':
    case 'conflict':
    case 'refused': {
      if (counters.fixes >= fixAttempts || isHopeless(task, cause)) return 'escalate'
      const what = cause.kind === 'gates_failed' ? cause.gates.join(', ') : cause.reason
      const why = `fix attempt ${counters.fixes + 1} of ${fixAttempts} for ${what}`
      return { reason: 'fix', notBefore: stepSince, why }
    }
    case 'changes_requested':
      if (counters.reworks >= reworks) return 'escalate'
      return {
        reason: 'rework',
        notBefore: stepSince,
        why: `rework ${counters.reworks + 1} of ${reworks} after review`,
      }
    case 'lost':
    case 'nothing_done': {
      if (counters.restarts >= MAX_RESTARTS) return 'escalate'
      const what = cause.kind === 'lost' ? cause.reason : `it ended and changed nothing${lastWordsOf(cause)}`
      const why = `restart ${counters.restarts + 1} of ${MAX_RESTARTS}: ${what}`
      return { reason: 'restart', notBefore: stepSince + backoffMs(counters.restarts + 1), why }
    }
    case 'interrupted':
      return counters.interruptions >= MAX_INTERRUPTIONS
        ? 'escalate'
        : again(`retry after an interruption: ${cause.reason}`)
    case 'limited':
      return again("retry after the provider's limit")
    case 'stopped_for_pause':
      return again('continue after the pause')
    case 'restarted':
      return again('restarted by a person')
    case 'plan_edited':
      return again('re-run after an edit of the plan')
    case 'over_budget':
      return taskOverrun(state, task, NOTHING_SPENT) === null
        ? again('retry within the raised budget')
        : 'escalate'
    case 'looping':
    case 'unclear':
    case 'blocked':
    case 'gates_inconclusive':
    case 'reviewer_lost':
      return 'escalate'
  }
}

/** Whether another worker would meet the same refusal. */
const isHopeless = ({ refusal, verdicts }: TaskState, cause: Cause): boolean =>
  cause.kind === 'gates_failed' && (refusal?.isRepeated === true || isBeyondWorkers(verdicts))
