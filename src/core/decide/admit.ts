/**
 * Whether a proposed event may happen now. Workers, people and performers all answer late sometimes; an event that no
 * longer fits is kept as `word.ignored`, and changes nothing.
 */
import { definitionOf, type PlanEvent } from '../events/plan-events.ts'
import type { PlanState } from '../state/state.ts'

/** Null when the event fits, else why it does not. */
export const misfit = (state: PlanState, event: PlanEvent): string | null =>
  definitionOf(event.type).rejectionReason(state, event)
