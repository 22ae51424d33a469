/** The timeline: a line for every event that matters to people. */
import type { TimelineLine } from '../../core/events/define.ts'
import { definitionOf } from '../../core/events/plan-events.ts'
import { interviewDefinitionOf } from '../../core/interview/events/interview-events.ts'
import { isPlanEvent, type LogEvent } from '../../core/log/log-events.ts'

/** Null for internal events. */
export const happening = (event: LogEvent): TimelineLine | null =>
  isPlanEvent(event)
    ? definitionOf(event.type).timeline(event)
    : interviewDefinitionOf(event.type).timeline(event)
