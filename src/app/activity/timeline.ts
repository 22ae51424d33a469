/** The timeline: a line for every event that matters to people. */
import type { TimelineLine } from '../../core/events/define.ts'
import { definitionOf, type PlanEvent } from '../../core/events/plan-events.ts'

/** Null for internal events. */
export const happening = (event: PlanEvent): TimelineLine | null => definitionOf(event.type).timeline(event)
