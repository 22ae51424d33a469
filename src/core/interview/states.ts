/** The states of an interview. Which may follow which is a table: transitions.ts. */

/** SUSPEND is entered from any state but DONE, ERROR and itself, and leads back to where it was entered from. */
export const INTERVIEW_STATES = [
  'WAITING',
  'AWAIT_USER',
  'WORKING',
  'PREVIEW',
  'AWAIT_ARCHITECT',
  'ERROR',
  'DONE',
  'SUSPEND',
] as const
export type InterviewState = (typeof INTERVIEW_STATES)[number]

/** How much the user knows of software; it changes how a model words its questions, and how many it asks. */
export const EXPERTISE_LEVELS = ['non_technical', 'basic', 'expert'] as const
export type Expertise = (typeof EXPERTISE_LEVELS)[number]
export const DEFAULT_EXPERTISE: Expertise = 'basic'

/** Tool calls for one message of the user; then the interview waits for the user. */
export const MAX_CALLS_PER_MESSAGE = 10
/** Fields that one post of the form has at most. */
export const MAX_FIELDS = 8
/** Questions that a model may ask in one chat post. */
export const MAX_QUESTIONS = 5

/** What a user may do with a spec in PREVIEW. */
export const PREVIEW_ACTIONS = ['continue_interview', 'submit_to_architect'] as const
export type PreviewActionName = (typeof PREVIEW_ACTIONS)[number]
