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

/** Throws an Error that names the invalid fields. */
export const checkInterviewEvent = (input: unknown): InterviewEvent =>
  checkAgainst<InterviewEvent>(input, (type) =>
    isInterviewEventType(type) ? interviewDefinitionOf(type).shape : null,
  )

const isOfInterview = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'type' in input && isInterviewEventType(input.type)

export const logCodec = {
  check: (event: unknown): LogEvent =>
    isOfInterview(event) ? checkInterviewEvent(event) : checkEvent(event),
}
