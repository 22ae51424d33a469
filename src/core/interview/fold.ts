/** Applies one event of an interview to its machine. What each changes is in its definition. */
import { move, type Instant, type Machine } from './machine.ts'
import { interviewDefinitionOf, type InterviewEvent } from './events/interview-events.ts'
import { nextState } from './transitions.ts'

/** The parts of a log entry that the fold reads. */
export interface InterviewFact {
  readonly version: number
  readonly at: Instant
  readonly event: InterviewEvent
}

/** Raised when the machine's shape changes; older snapshots are then ignored. */
export const MACHINE_SHAPE = 4

/** A client repeats a call soon, or not at all. */
const KEPT_KEYS = 100

/** Changes the machine and returns it. The first event creates it. An impossible event throws. */
export function foldInterview(machine: Machine | null, { version, at, event }: InterviewFact): Machine {
  if (machine === null) return { ...opened(event, at), version }
  apply(machine, event, at)
  return Object.assign(machine, { version, at })
}

/** Why an event is refused in this state; null when it is accepted. */
export function interviewRejection(machine: Machine, event: InterviewEvent): string | null {
  const { trigger, rejectionReason } = interviewDefinitionOf(event.type)
  const on = trigger(event)
  if (on !== null && nextState(machine, on) === null)
    return `${event.type} is not possible: the interview is in ${machine.state}`
  return rejectionReason(machine, event)
}

function opened(event: InterviewEvent, at: Instant): Machine {
  if (event.type !== 'interview.opened')
    throw new Error(`the first event must be interview.opened, not ${event.type}`)
  const { repository, number, recoverable, plan } = event
  return {
    repository,
    number,
    state: 'WAITING',
    suspendedFrom: null,
    since: at,
    moves: 0,
    version: 0,
    at,
    interviews: 0,
    session: null,
    recoverable,
    parked: null,
    outage: null,
    plan,
    keys: [],
    lastAction: null,
  }
}

/** The data changes first: what is kept of an interview depends on the state it was in. */
function apply(machine: Machine, event: InterviewEvent, at: Instant): void {
  const { trigger, change } = interviewDefinitionOf(event.type)
  const on = trigger(event)
  if (on !== null && nextState(machine, on) === null)
    throw new Error(`${event.type} is not possible: the interview is in ${machine.state}`)
  change(machine, event, at)
  if (on !== null) move(machine, on, at)
  if ('callKey' in event && event.callKey !== undefined)
    machine.keys = [...machine.keys, event.callKey].slice(-KEPT_KEYS)
  if (machine.state !== 'SUSPEND') machine.suspendedFrom = null
}
