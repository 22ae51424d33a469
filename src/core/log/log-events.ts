/** The events of the whole log: two families, which differ by their types. */
import { checkAgainst, checkEvent } from '../events/codec.ts'
import { isEventType, type PlanEvent } from '../events/plan-events.ts'
import {
  interviewDefinitionOf,
  isInterviewEventType,
  type InterviewEvent,
} from '../interview/events/interview-events.ts'

export type LogEvent = PlanEvent | InterviewEvent

export const isPlanEvent = (event: LogEvent): event is PlanEvent => isEventType(event.type)
export const isInterviewEvent = (event: LogEvent): event is InterviewEvent => isInterviewEventType(event.type)

/** The event in its newest version. Throws an Error that names the invalid fields. */
export function checkInterviewEvent(input: unknown): InterviewEvent {
  return checkAgainst<InterviewEvent>(input, (type) => {
    if (!isInterviewEventType(type)) return null
    const { shape, upcasts = [] } = interviewDefinitionOf(type)
    return { shape, upcasts }
  })
}

const isOfInterview = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'type' in input && isInterviewEventType(input.type)

export const logCodec = {
  check: (event: unknown): LogEvent =>
    isOfInterview(event) ? checkInterviewEvent(event) : checkEvent(event),
}
