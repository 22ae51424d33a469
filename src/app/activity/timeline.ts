/** What happened, a line for everything a person would tell another. */
import type { TimelineLine } from '../../core/events/define.ts'
import { definitionOf, type PlanEvent } from '../../core/events/plan-events.ts'

export interface Happening extends TimelineLine {
  readonly event: string
}

/** Null for what only the machinery cares about. */
export function happening(event: PlanEvent): Happening | null {
  const line = definitionOf(event.type).timeline(event)
  return line === null ? null : { event: event.type, ...line }
}
