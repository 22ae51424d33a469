/** The provider behind an agent sets a limit or lifts it. */
import { providerLimited as applyLimit } from '../../fold/providers.ts'
import { cut, planLine } from '../activity-lines.ts'
import { always, eventShape, type EventDefinition } from '../define.ts'
import { instant, text, workerId } from '../../event-schemas/schemas.ts'

const limitedShape = eventShape('provider.limited', 1, () => ({
  agent: text.min(1),
  /** No worker can use the agent before; null where that is unknown, and `probe` is the worker that tests it. */
  until: instant.nullable(),
  why: text,
  probe: workerId.optional(),
  /** How to sign it in, where that is what it lacks. */
  signIn: text.optional(),
  /** The plan that reported it, where it was another one. */
  from: text.optional(),
}))

export const providerLimited: EventDefinition<typeof limitedShape> = {
  shape: limitedShape,
  rejectionReason: always,
  apply: applyLimit,
  activity({ agent, until, why, probe, signIn, from }) {
    const data = {
      agent,
      until_ms: until,
      why: cut(why),
      probe: probe ?? null,
      sign_in: signIn ?? null,
      told_by: from ?? null,
    }
    return [planLine('provider_limited', data)]
  },
  timeline({ agent, until, why, probe, signIn }) {
    if (signIn !== undefined) return { task: null, text: `${agent} is not signed in: ${why}` }
    if (until !== null) {
      return { task: null, text: `${agent} is limited until ${new Date(until).toISOString()}: ${why}` }
    }
    if (probe === undefined) return { task: null, text: `${agent} is not working: ${why}` }
    return { task: null, text: `${probe} probes whether ${agent} works again` }
  },
}

const freedShape = eventShape('provider.freed', 1, () => ({
  agent: text.min(1),
  why: text,
  from: text.optional(),
}))

export const providerFreed: EventDefinition<typeof freedShape> = {
  shape: freedShape,
  rejectionReason: ({ parked }, { agent }) => (parked.has(agent) ? null : `${agent} is not limited`),
  apply(state, { agent }) {
    state.parked.delete(agent)
  },
  activity: ({ agent, why, from }) => [
    planLine('provider_resumed', { agent, why: cut(why), told_by: from ?? null }),
  ],
  timeline: ({ agent, why }) => ({ task: null, text: `${agent} works again: ${why}` }),
}
