/** The timeline: a line for every event that matters to people. */
import type { TimelineLine } from '../../core/events/define.ts'
import { definitionOf, type PlanEvent } from '../../core/events/plan-events.ts'

export interface Happening extends TimelineLine {
  readonly event: string
}

/** Null for internal events. */
export function happening(event: PlanEvent): Happening | null {
  const line = definitionOf(event.type).timeline(event)
  return line === null ? null : { event: event.type, ...line }
}
