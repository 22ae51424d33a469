/**
 * The interview's transitions as a table: every legal one is a row, and anything else is refused. docs/interview.md is
 * printed from it, and a test compares it with the matrix it was taken from.
 */
import type { InterviewState } from './states.ts'

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

export interface Transition {
  readonly from: InterviewState
  readonly to: InterviewState
  readonly on: Trigger
  readonly means: string
}

/** In the order and the words of the matrix. */
export const TRANSITIONS: readonly Transition[] = [
  { from: 'WAITING', to: 'WAITING', on: 'wait', means: 'Polling for state changes (no activity)' },
  {
    from: 'WAITING',
    to: 'WORKING',
    on: 'start_with_bootstrap',
    means: 'StartInterview() with bootstrap needed',
  },
  { from: 'WAITING', to: 'AWAIT_USER', on: 'start', means: 'StartInterview() with no bootstrap' },
  { from: 'WAITING', to: 'PREVIEW', on: 'upload_spec', means: 'UploadSpec() method called' },
  { from: 'WAITING', to: 'DONE', on: 'shutdown', means: 'Shutdown signal' },
  { from: 'AWAIT_USER', to: 'AWAIT_USER', on: 'wait', means: 'Still waiting for user input' },
  { from: 'AWAIT_USER', to: 'WORKING', on: 'user_message', means: 'User sends message via chat' },
  { from: 'AWAIT_USER', to: 'ERROR', on: 'error', means: 'Timeout or error' },
  { from: 'AWAIT_USER', to: 'DONE', on: 'shutdown', means: 'Shutdown signal' },
  { from: 'WORKING', to: 'WORKING', on: 'tool_call', means: 'Continue working (tool calls)' },
  { from: 'WORKING', to: 'AWAIT_USER', on: 'await_user', means: 'await_user tool called' },
  { from: 'WORKING', to: 'PREVIEW', on: 'spec_submit', means: 'spec_submit tool called (spec ready)' },
  { from: 'WORKING', to: 'ERROR', on: 'error', means: 'Unrecoverable error' },
  { from: 'WORKING', to: 'DONE', on: 'shutdown', means: 'Shutdown signal' },
  { from: 'PREVIEW', to: 'PREVIEW', on: 'wait', means: 'Polling for state changes (no action)' },
  {
    from: 'PREVIEW',
    to: 'AWAIT_USER',
    on: 'continue_interview',
    means: 'PreviewAction("continue_interview") called',
  },
  {
    from: 'PREVIEW',
    to: 'AWAIT_ARCHITECT',
    on: 'submit_to_architect',
    means: 'PreviewAction("submit_to_architect") called',
  },
  { from: 'PREVIEW', to: 'ERROR', on: 'error', means: 'Error' },
  { from: 'PREVIEW', to: 'DONE', on: 'shutdown', means: 'Shutdown signal' },
  {
    from: 'AWAIT_ARCHITECT',
    to: 'AWAIT_ARCHITECT',
    on: 'wait',
    means: 'Still waiting for architect response',
  },
  {
    from: 'AWAIT_ARCHITECT',
    to: 'WORKING',
    on: 'needs_changes',
    means: 'Architect provides feedback (needs changes)',
  },
  { from: 'AWAIT_ARCHITECT', to: 'WAITING', on: 'approved', means: 'Architect approves spec' },
  { from: 'AWAIT_ARCHITECT', to: 'ERROR', on: 'error', means: 'Error' },
  { from: 'AWAIT_ARCHITECT', to: 'DONE', on: 'shutdown', means: 'Shutdown signal' },
  { from: 'ERROR', to: 'WAITING', on: 'reset', means: 'Reset after error' },
  { from: 'ERROR', to: 'DONE', on: 'shutdown', means: 'Shutdown signal' },
]

/** The states that SUSPEND is entered from, and leads back to. */
export const SUSPENDABLE = ['WAITING', 'AWAIT_USER', 'WORKING', 'PREVIEW', 'AWAIT_ARCHITECT'] as const
export type Suspendable = (typeof SUSPENDABLE)[number]

/** SUSPEND is a state of the base level, beside the matrix. It leads back only to the state it was entered from. */
export const SUSPENSIONS: readonly Transition[] = [
  ...SUSPENDABLE.map((from): Transition => ({
    from,
    to: 'SUSPEND',
    on: 'service_unavailable',
    means: 'Retries on a service are exhausted',
  })),
  ...SUSPENDABLE.map((to): Transition => ({
    from: 'SUSPEND',
    to,
    on: 'services_healthy',
    means: `All services are healthy again; it was entered from ${to}`,
  })),
  { from: 'SUSPEND', to: 'ERROR', on: 'error', means: 'Timeout (15 min)' },
  { from: 'SUSPEND', to: 'ERROR', on: 'shutdown', means: 'Shutdown signal' },
]

const rows = new Map<InterviewState, Map<Trigger, InterviewState>>()
for (const { from, to, on } of TRANSITIONS) rowsFrom(from).set(on, to)
for (const { from, to, on } of SUSPENSIONS) if (on !== 'services_healthy') rowsFrom(from).set(on, to)

function rowsFrom(from: InterviewState): Map<Trigger, InterviewState> {
  const known = rows.get(from) ?? new Map<Trigger, InterviewState>()
  rows.set(from, known)
  return known
}

/** The state that follows; null where the table has no such row. */
export function nextState(
  { state, suspendedFrom }: { readonly state: InterviewState; readonly suspendedFrom: Suspendable | null },
  on: Trigger,
): InterviewState | null {
  if (state === 'SUSPEND' && on === 'services_healthy') return suspendedFrom
  return rows.get(state)?.get(on) ?? null
}

export const isSuspendable = (state: InterviewState): state is Suspendable =>
  (SUSPENDABLE as readonly InterviewState[]).includes(state)
