/** Every event of an interview. */
import type { EventIn } from '../../events/define.ts'
import { interviewOpened, interviewStarted, specUploaded } from './beginnings.ts'
import type { InterviewDefinitionFor } from './define.ts'
import {
  interviewFailed,
  interviewParked,
  interviewReset,
  interviewResumed,
  interviewShutDown,
  interviewSuspended,
} from './interruptions.ts'
import {
  changesRequested,
  interviewContinued,
  reviewAnswered,
  reviewRequested,
  specApproved,
} from './review.ts'
import { messageNoticed, messageReceived, specSubmitted, toolCalled, userAwaited } from './talk.ts'

/** A new event needs its definition and a line here. */
export const INTERVIEW_DEFINITIONS = [
  interviewOpened,
  interviewStarted,
  specUploaded,
  messageReceived,
  messageNoticed,
  toolCalled,
  userAwaited,
  specSubmitted,
  interviewContinued,
  reviewRequested,
  reviewAnswered,
  changesRequested,
  specApproved,
  interviewFailed,
  interviewReset,
  interviewShutDown,
  interviewSuspended,
  interviewResumed,
  interviewParked,
] as const

type Definition = (typeof INTERVIEW_DEFINITIONS)[number]
type Events = { readonly [D in Definition as D['shape']['type']]: EventIn<D['shape']> }

export type InterviewEventType = keyof Events
export type InterviewEventOf<T extends InterviewEventType> = Events[T]
export type InterviewEvent = Events[InterviewEventType]

const byType = new Map<string, unknown>(
  INTERVIEW_DEFINITIONS.map((definition) => [definition.shape.type, definition]),
)

export const isInterviewEventType = (type: unknown): type is InterviewEventType =>
  typeof type === 'string' && byType.has(type)

export const interviewDefinitionOf = <T extends InterviewEventType>(
  type: T,
): InterviewDefinitionFor<InterviewEventOf<T>> =>
  byType.get(type) as InterviewDefinitionFor<InterviewEventOf<T>>
