/** Errors, outages and the end of the daemon. */
import { z } from 'zod'
import type { Instant, Machine } from '../machine.ts'
import { isSuspendable } from '../transitions.ts'
import { interviewEvent } from './define.ts'
import { count, text } from './schemas.ts'
import { cut, fact, aboutPlan } from '../../events/rendering.ts'

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
  render: ({ why, cause }) =>
    cause === 'error'
      ? aboutPlan(`the interview failed: ${cut(why)}`, fact('interview_failed', { why: cut(why) }))
      : aboutPlan(`the interview was ${cut(why)}`, fact('interview_abandoned', { why: cut(why) })),
})

export const interviewReset = interviewEvent('interview.reset', {
  fields: () => ({}),
  trigger: () => 'reset',
  render: () => aboutPlan(null, fact('interview_reset', {})),
})

/** An orderly stop of the daemon. What was open is kept for the next start. */
export const interviewShutDown = interviewEvent('interview.shut_down', {
  fields: () => ({}),
  trigger: () => 'shutdown',
  change(machine, _event, at) {
    keep(machine, { why: 'the daemon stopped', at, cause: 'shutdown' })
  },
  render: () => aboutPlan('the interview is kept until the next start', fact('interview_shut_down', {})),
})

export const interviewSuspended = interviewEvent('interview.suspended', {
  fields: () => ({ service: text(), why: text() }),
  trigger: () => 'service_unavailable',
  change(machine, { service, why }) {
    if (isSuspendable(machine.state)) machine.suspendedFrom = machine.state
    machine.outage = why.startsWith(service) ? why : `${service}: ${why}`
  },
  render: ({ service, why }) =>
    aboutPlan(
      `suspended: ${service} is unavailable (${cut(why)})`,
      fact('interview_suspended', { service, why: cut(why) }),
    ),
})

/** Every service answers again. */
export const interviewResumed = interviewEvent('interview.resumed', {
  fields: () => ({ services: z.array(text()) }),
  trigger: () => 'services_healthy',
  change(machine) {
    machine.outage = null
  },
  render: ({ services }) =>
    aboutPlan('resumed: all services are available again', fact('interview_resumed', { services })),
})

/** A service refuses work until a known time: no outage, and no reason to suspend. */
export const interviewParked = interviewEvent('interview.parked', {
  fields: () => ({ service: text(), until: count() }),
  rejectionReason: ({ state }) =>
    state === 'WORKING' || state === 'AWAIT_ARCHITECT' ? null : 'nothing is asked of a service',
  change(machine, { service, until }) {
    machine.parked = { service, until }
  },
  render: ({ service, until }) =>
    aboutPlan(`waiting until ${service} accepts work again`, fact('interview_parked', { service, until })),
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
