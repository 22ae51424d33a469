/** A person or a rule pauses, resumes or cancels the plan. */
import { z } from 'zod'
import { probeNow } from '../../fold/providers.ts'
import { cut, planLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { by, text } from '../../event-schemas/schemas.ts'

const pausedShape = eventShape('plan.paused', 1, () => ({ by, reason: text, stopWorkers: z.boolean() }))

export const planPaused: EventDefinition<typeof pausedShape> = {
  shape: pausedShape,
  rejectionReason: ({ paused }) => (paused === null ? null : 'the plan is already paused'),
  apply(state, { by, reason, stopWorkers }) {
    state.paused = { by, reason, stopWorkers }
    state.pauseDue = null
  },
  activity: ({ by, reason, stopWorkers }) => [
    planLine('plan_paused', { by, reason: cut(reason), stop_workers: stopWorkers }),
  ],
  timeline: ({ by, reason }) => ({ task: null, text: `paused by ${by}: ${reason}` }),
}

const resumedShape = eventShape('plan.resumed', 1, () => ({ by }))

export const planResumed: EventDefinition<typeof resumedShape> = {
  shape: resumedShape,
  rejectionReason: ({ paused }) => (paused === null ? 'the plan is not paused' : null),
  apply(state, _event, at) {
    state.paused = null
    for (const layer of state.layers.values()) if (layer.status === 'failed') layer.status = 'due'
    // Resuming retries everything at once: the person has fixed the cause.
    for (const [key, trouble] of state.trouble) state.trouble.set(key, { ...trouble, notBefore: at })
    for (const agent of state.parked.keys()) probeNow(state, agent, at)
    if (state.breaker !== null) state.breaker = { ...state.breaker, probeAt: at }
  },
  activity: ({ by }) => [planLine('plan_resumed', { by })],
  timeline: ({ by }) => ({ task: null, text: `resumed by ${by}` }),
}

const cancelledShape = eventShape('plan.cancelled', 1, () => ({ by, reason: text }))

export const planCancelled: EventDefinition<typeof cancelledShape> = {
  shape: cancelledShape,
  rejectionReason: ({ cancelled }) => (cancelled === null ? null : 'the plan is already cancelled'),
  apply(state, { by, reason }) {
    state.cancelled = { by, reason }
  },
  activity: ({ by, reason }) => [planLine('plan_cancelled', { by, reason: cut(reason) })],
  timeline: ({ by, reason }) => ({ task: null, text: `cancelled by ${by}: ${reason}` }),
}
