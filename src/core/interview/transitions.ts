/**
 * The states of an interview, and its transitions as a table: every legal one is a row, and anything else is refused.
 * docs/interview.md is printed from it, and a test compares it with the matrix it was taken from.
 */

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
export type PreviewActionName = 'continue_interview' | 'submit_to_architect'

export const TRIGGERS = [
  /** Nothing happened; the state stays, and no event is written. */
  'wait',
  'start_with_bootstrap',
  'start',
  'upload_spec',
  'user_message',
  'tool_call',
  'await_user',
  'spec_submit',
  'continue_interview',
  'submit_to_architect',
  'needs_changes',
  'approved',
  /** Also a time-out. */
  'error',
  'reset',
  'shutdown',
  'service_unavailable',
  'services_healthy',
] as const
export type Trigger = (typeof TRIGGERS)[number]

export type Transition = Readonly<ReturnType<typeof row>>

/** In the order and the words of the matrix. */
export const TRANSITIONS: readonly Transition[] = [
  row('WAITING', 'WAITING', 'wait', 'Polling for state changes (no activity)'),
  row('WAITING', 'WORKING', 'start_with_bootstrap', 'StartInterview() with bootstrap needed'),
  row('WAITING', 'AWAIT_USER', 'start', 'StartInterview() with no bootstrap'),
  row('WAITING', 'PREVIEW', 'upload_spec', 'UploadSpec() method called'),
  row('WAITING', 'DONE', 'shutdown', 'Shutdown signal'),
  row('AWAIT_USER', 'AWAIT_USER', 'wait', 'Still waiting for user input'),
  row('AWAIT_USER', 'WORKING', 'user_message', 'User sends message via chat'),
  row('AWAIT_USER', 'ERROR', 'error', 'Timeout or error'),
  row('AWAIT_USER', 'DONE', 'shutdown', 'Shutdown signal'),
  row('WORKING', 'WORKING', 'tool_call', 'Continue working (tool calls)'),
  row('WORKING', 'AWAIT_USER', 'await_user', 'await_user tool called'),
  row('WORKING', 'PREVIEW', 'spec_submit', 'spec_submit tool called (spec ready)'),
  row('WORKING', 'ERROR', 'error', 'Unrecoverable error'),
  row('WORKING', 'DONE', 'shutdown', 'Shutdown signal'),
  row('PREVIEW', 'PREVIEW', 'wait', 'Polling for state changes (no action)'),
  row('PREVIEW', 'AWAIT_USER', 'continue_interview', 'PreviewAction("continue_interview") called'),
  row('PREVIEW', 'AWAIT_ARCHITECT', 'submit_to_architect', 'PreviewAction("submit_to_architect") called'),
  row('PREVIEW', 'ERROR', 'error', 'Error'),
  row('PREVIEW', 'DONE', 'shutdown', 'Shutdown signal'),
  row('AWAIT_ARCHITECT', 'AWAIT_ARCHITECT', 'wait', 'Still waiting for architect response'),
  row('AWAIT_ARCHITECT', 'WORKING', 'needs_changes', 'Architect provides feedback (needs changes)'),
  row('AWAIT_ARCHITECT', 'WAITING', 'approved', 'Architect approves spec'),
  row('AWAIT_ARCHITECT', 'ERROR', 'error', 'Error'),
  row('AWAIT_ARCHITECT', 'DONE', 'shutdown', 'Shutdown signal'),
  row('ERROR', 'WAITING', 'reset', 'Reset after error'),
  row('ERROR', 'DONE', 'shutdown', 'Shutdown signal'),
]

function row(from: InterviewState, to: InterviewState, on: Trigger, means: string) {
  return { from, to, on, means }
}

/** The states that SUSPEND is entered from, and leads back to. */
export const SUSPENDABLE = ['WAITING', 'AWAIT_USER', 'WORKING', 'PREVIEW', 'AWAIT_ARCHITECT'] as const
export type Suspendable = (typeof SUSPENDABLE)[number]

/** SUSPEND is a state of the base level, beside the matrix. It leads back only to the state it was entered from. */
export const SUSPENSIONS: readonly Transition[] = [
  ...SUSPENDABLE.map((from) =>
    row(from, 'SUSPEND', 'service_unavailable', 'Retries on a service are exhausted'),
  ),
  ...SUSPENDABLE.map((to) =>
    row('SUSPEND', to, 'services_healthy', `All services are healthy again; it was entered from ${to}`),
  ),
  row('SUSPEND', 'ERROR', 'error', 'Timeout (15 min)'),
  row('SUSPEND', 'ERROR', 'shutdown', 'Shutdown signal'),
]

/** The state that follows; null where the table has no such row. */
export function nextState(
  { state, suspendedFrom }: { readonly state: InterviewState; readonly suspendedFrom: Suspendable | null },
  on: Trigger,
): InterviewState | null {
  if (state === 'SUSPEND' && on === 'services_healthy') return suspendedFrom
  return [...TRANSITIONS, ...SUSPENSIONS].find((one) => one.from === state && one.on === on)?.to ?? null
}

export const isSuspendable = (state: InterviewState): state is Suspendable =>
  (SUSPENDABLE as readonly InterviewState[]).includes(state)
