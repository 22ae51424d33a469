/**
 * Whether a proposed event may happen now. Workers, people and performers all answer late sometimes; an event that no
 * longer fits is kept as `word.ignored`, and changes nothing.
 */
import { definitionOf, type PlanEvent } from '../events/plan-events.ts'
import type { PlanState } from '../state/state.ts'

/** Null when the event fits, else why it does not. */
export const rejectionReason = (state: PlanState, event: PlanEvent): string | null =>
  definitionOf(event.type).rejectionReason(state, event)

/** Why the first of several events that does not fit does not; null where all fit. */
export function firstRejection(state: PlanState, events: readonly PlanEvent[]): string | null {
  for (const event of events) {
    const reason = rejectionReason(state, event)
    if (reason !== null) return reason
  }
  return null
}
