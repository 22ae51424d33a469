/** Errors, outages and the end of the daemon. */
import { z } from 'zod'
import { cut } from '../../events/activity-lines.ts'
import type { Instant, Machine } from '../machine.ts'
import { isSuspendable } from '../transitions.ts'
import { interviewEvent, interviewLine, inTimeline } from './define.ts'
import { count, text } from './schemas.ts'

export const interviewFailed = interviewEvent('interview.failed', {
  fields: () => ({
    /** `abandoned`: a person ended it, and nothing of it is kept. */
    cause: z.enum(['error', 'abandoned']),
    why: text(),
  }),
  trigger: () => 'error',
  change(machine, { why, cause }, at) {
    if (cause === 'abandoned') close(machine)
    else keep(machine, { why, at, cause })
  },
  activity: ({ why, cause }) => [
    interviewLine(cause === 'error' ? 'interview_failed' : 'interview_abandoned', { why: cut(why) }),
  ],
  timeline: ({ why, cause }) =>
    inTimeline(cause === 'error' ? `the interview failed: ${cut(why)}` : `the interview was ${cut(why)}`),
})

export const interviewReset = interviewEvent('interview.reset', {
  fields: () => ({}),
  trigger: () => 'reset',
  activity: () => [interviewLine('interview_reset', {})],
})

/** An orderly stop of the daemon. What was open is kept for the next start. */
export const interviewShutDown = interviewEvent('interview.shut_down', {
  fields: () => ({}),
  trigger: () => 'shutdown',
  change(machine, _event, at) {
    keep(machine, { why: 'the daemon stopped', at, cause: 'shutdown' })
  },
  activity: () => [interviewLine('interview_shut_down', {})],
  timeline: () => inTimeline('the interview is kept until the next start'),
})

export const interviewSuspended = interviewEvent('interview.suspended', {
  fields: () => ({ service: text(), why: text() }),
  trigger: () => 'service_unavailable',
  change(machine, { service, why }) {
    if (isSuspendable(machine.state)) machine.suspendedFrom = machine.state
    machine.outage = why.startsWith(service) ? why : `${service}: ${why}`
  },
  activity: ({ service, why }) => [interviewLine('interview_suspended', { service, why: cut(why) })],
  timeline: ({ service, why }) => inTimeline(`suspended: ${service} is unavailable (${cut(why)})`),
})

/** Every service answers again. */
export const interviewResumed = interviewEvent('interview.resumed', {
  fields: () => ({ services: z.array(text()) }),
  trigger: () => 'services_healthy',
  change(machine) {
    machine.outage = null
  },
  activity: ({ services }) => [interviewLine('interview_resumed', { services })],
  timeline: () => inTimeline('resumed: all services are available again'),
})

/** A service refuses work until a known time: no outage, and no reason to suspend. */
export const interviewParked = interviewEvent('interview.parked', {
  fields: () => ({ service: text(), until: count() }),
  rejectionReason: ({ state }) =>
    state === 'WORKING' || state === 'AWAIT_ARCHITECT' ? null : 'nothing is asked of a service',
  change(machine, { service, until }) {
    machine.parked = { service, until }
  },
  activity: ({ service, until }) => [interviewLine('interview_parked', { service, until })],
  timeline: ({ service }) => inTimeline(`waiting until ${service} accepts work again`),
})

/** Keeps what is open, so that it can be continued. What was kept before is kept on where nothing is open. */
function keep(
  machine: Machine,
  { why, at, cause }: { readonly why: string; readonly at: Instant; readonly cause: 'error' | 'shutdown' },
): void {
  const { session } = machine
  const state = machine.state === 'SUSPEND' ? machine.suspendedFrom : machine.state
  close(machine)
  if (session === null || state === null || !isSuspendable(state)) return
  machine.recoverable = [{ session, state, why, at, cause }, ...machine.recoverable].slice(0, MOST_KEPT)
}

/** Errors that nobody looks at do not add up. */
const MOST_KEPT = 5

function close(machine: Machine): void {
  machine.session = null
  machine.parked = null
  machine.outage = null
}
