/**
 * Whether a proposed event is accepted. Workers, people and performers may all answer late; a late event of a worker
 * is kept as `word.ignored` and changes nothing.
 */
import { definitionOf, type PlanEvent } from '../events/plan-events.ts'
import type { PlanState } from '../state/state.ts'

/** Null when the event is accepted. */
export const rejectionReason = (state: PlanState, event: PlanEvent): string | null =>
  definitionOf(event.type).rejectionReason(state, event)

/** The first rejection among several events; null where all are accepted. */
export function firstRejection(state: PlanState, events: readonly PlanEvent[]): string | null {
  for (const event of events) {
    const reason = rejectionReason(state, event)
    if (reason !== null) return reason
  }
  return null
}
