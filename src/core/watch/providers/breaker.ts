/** While workers of different tasks fail with the same error, one question is open and only probes start. */
import { opened, withdrawn } from '../../delivery/inbox/inbox-items.ts'
import { breakerEscalation } from '../../delivery/inbox/request-items.ts'
import type { Cause } from '../../event-schemas/schemas.ts'
import type { PlanEvent } from '../../events/plan-events.ts'
import type { Obligation } from '../../decide/owed.ts'
import { askedAbout, type Instant, type PlanState, type TaskState } from '../../state/state.ts'
import { failureSignature } from './signature.ts'

/** Whether the breaker is open for this cause. */
export function isCommon({ breaker }: PlanState, cause: Cause | null): boolean {
  if (breaker === null || (cause?.kind !== 'lost' && cause?.kind !== 'reviewer_lost')) return false
  return failureSignature(cause.reason) === breaker.signature
}

/** Null when a worker may start: the breaker is closed, or a probe is due. */
export function heldByBreaker({ breaker }: PlanState, now: Instant): Obligation | null {
  if (breaker === null) return null
  const isDue = breaker.over === null && breaker.probe === null && breaker.probeAt <= now
  return isDue ? null : {}
}

export function* owedByBreaker(state: PlanState, now: Instant): Generator<Obligation> {
  const { breaker } = state
  if (breaker === null) return
  const open = [...state.inbox.values()].find(({ item }) => item.subject === 'breaker')
  if (breaker.over !== null && open !== undefined) {
    yield { decision: [withdrawn(open.item.id, breaker.over)] }
    return
  }
  if (state.paused !== null || state.pauseDue !== null) return
  if (open === undefined)
    yield { decision: [...askedBefore(state), opened(breakerEscalation(state, breaker))] }
  if (breaker.probe === null && breaker.probeAt > now) yield { wakeAt: breaker.probeAt }
}

/** The question about the common cause replaces those about single tasks, except for tasks that wait for a review. */
function askedBefore(state: PlanState): PlanEvent[] {
  const common = ({ step, cause }: TaskState): boolean =>
    step === 'escalated' && cause?.kind === 'lost' && isCommon(state, cause)
  const abouts = new Set(
    [...state.blocked].filter(common).map(({ spec }) => askedAbout({ subject: 'task', about: spec.id })),
  )
  return [...state.inbox.values()].flatMap(({ item }): PlanEvent[] =>
    abouts.has(askedAbout(item)) ? [withdrawn(item.id, 'other tasks fail with the same error')] : [],
  )
}
