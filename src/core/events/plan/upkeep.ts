/** What is recorded beside the work: progress, failed effects, input that came too late, the brain, the clock, providers. */
import { z } from 'zod'
import { backoffMs } from '../../state/budgets.ts'
import { always, changesNothing, eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { text, by, taskId, usageSchema, instant, workerId } from '../../event-schemas/schemas.ts'
import { cut, fact, aboutPlan, aboutTask } from '../rendering.ts'
import { decided } from '../../fold/moves.ts'
import { NOT_ASKED } from '../../state/draft.ts'
import { plus, spentOf } from '../../state/spending.ts'
import type { LiveWorker } from '../../state/state.ts'
import { formatDuration } from '../../../lib/text/format-time.ts'
import { providerLimited as applyLimit } from '../../fold/providers.ts'

const reportedShape = eventShape('progress.reported', 1, () => ({ why: text, text }))

export const progressReported: EventDefinition<typeof reportedShape> = {
  shape: reportedShape,
  rejectionReason: always,
  apply(state, _event, at) {
    Object.assign(state.progress, { completedSince: 0, lastAt: at, due: null })
  },
  render({ why, text }) {
    const [head = '', ...details] = text.split('\n')
    return { ...aboutPlan(head, fact('progress_report', { why: cut(why), text: cut(text) })), details }
  },
}

const failedShape = eventShape('effect.failed', 1, () => ({
  effect: text,
  reason: text,
  /** A retry cannot succeed until a person has acted. */
  needsPerson: z.boolean().optional(),
}))

/** An effect failed; it is retried later, and escalated after repeated failures. */
export const effectFailed: EventDefinition<typeof failedShape> = {
  shape: failedShape,
  rejectionReason: always,
  apply(state, { effect, reason, needsPerson = false }, at) {
    const failures = (state.trouble.get(effect)?.failures ?? 0) + 1
    state.trouble.set(effect, { failures, reason, needsPerson, notBefore: at + backoffMs(failures) })
  },
  render: ({ effect, reason }) =>
    aboutPlan(
      `${effect} failed: ${reason}`,
      fact('effect_failed', { effect: cut(effect), reason: cut(reason) }),
    ),
}

const ignoredShape = eventShape('word.ignored', 1, () => ({ from: text, about: text, why: text }))

/** Input from a worker that no longer counts. It is kept and changes nothing. */
export const wordIgnored: EventDefinition<typeof ignoredShape> = {
  shape: ignoredShape,
  rejectionReason: always,
  apply: changesNothing,
  render: ({ from, about, why }) =>
    aboutPlan(
      `ignored ${about} of ${from} (${why})`,
      fact('word_ignored', { from: cut(from), about: cut(about), why: cut(why) }),
    ),
}

/** The brain was asked for this plan: what it cost, or why it did not judge. */
const answeredShape = eventShape('brain.answered', 1, () => ({
  question: z.string().min(1).max(100),
  /** Null for a question about the whole plan. */
  task: taskId.nullable(),
  /** `nobody`, or the provider and the model. */
  by,
  /** Null where nothing was sent to a model. */
  usage: usageSchema.nullable(),
  /** Requests to the model, retries included. */
  requests: z.int().nonnegative(),
  /** Why nobody judged; null where the brain did. */
  fallback: text.nullable(),
  /** Whether the answer to an identical question was taken. */
  cached: z.boolean(),
}))
type Answered = EventIn<typeof answeredShape>

/** What it cost counts for the plan and its task; the answer itself is in the event that follows. */
export const brainAnswered: EventDefinition<typeof answeredShape> = {
  shape: answeredShape,
  rejectionReason: always,
  apply(state, event, at) {
    const used = spentOf(event.usage ?? undefined)
    const { thinking } = state
    state.thinking = {
      calls: thinking.calls + 1,
      requests: thinking.requests + event.requests,
      fallbacks: thinking.fallbacks + (event.fallback === null ? 0 : 1),
      spent: plus(thinking.spent, used),
    }
    state.spending.total = plus(state.spending.total, used)
    const task = event.task === null ? undefined : state.tasks.get(event.task)
    if (task === undefined) return
    task.spent = plus(task.spent, used)
    const { spent, assessment } = task.thinking ?? NOT_ASKED
    task.thinking = { spent: plus(spent, used), assessment }
    if (event.fallback !== null) decided(task, at, answeredText(event))
  },
  render: (event) =>
    aboutTask(
      event.task,
      answeredText(event),
      fact('brain_answered', {
        question: event.question,
        by: event.by,
        tokens_in: event.usage?.tokensIn ?? 0,
        tokens_out: event.usage?.tokensOut ?? 0,
        usd: event.usage === null ? 0 : event.usage.usd,
        requests: event.requests,
        cached: event.cached,
        fallback: event.fallback === null ? null : cut(event.fallback),
      }),
    ),
}

function answeredText({ question, by: who, fallback, cached }: Answered): string {
  const name = question.replaceAll('_', ' ')
  if (fallback !== null) return `not judged: ${name}: ${fallback}`
  return cached ? `${who} answered "${name}" before` : `${who} answered "${name}"`
}

/** The start of the PM, and jumps of the wall clock. */

/**
 * Wall time minus monotonic time distinguishes clock jumps from elapsed time, as long as the machine did not reboot
 * (`boot`).
 */
const startedShape = eventShape('pm.started', 1, () => ({
  boot: text,
  offsetMs: z.int(),
  /** Whether a PM had started on the plan before. */
  again: z.boolean(),
}))

export const pmStarted: EventDefinition<typeof startedShape> = {
  shape: startedShape,
  rejectionReason: always,
  apply(state, { boot, offsetMs }) {
    state.clock = { boot, offsetMs }
  },
  render: ({ again }) =>
    again ? aboutPlan('restarted', fact('pm_restarted', {})) : aboutPlan('started', fact('pm_started', {})),
}

const jumpedShape = eventShape('clock.jumped', 1, () => ({ byMs: z.int() }))

/** Wall time jumped: every stored moment from which a duration is measured moves along. */
export const clockJumped: EventDefinition<typeof jumpedShape> = {
  shape: jumpedShape,
  rejectionReason: always,
  apply(state, { byMs }) {
    if (state.clock !== null) state.clock = { ...state.clock, offsetMs: state.clock.offsetMs + byMs }
    for (const task of state.tasks.values()) {
      if (task.dispatchedAt !== null && task.step !== 'completed') task.dispatchedAt += byMs
    }
    for (const task of state.active) {
      task.stepSince += byMs
      if (task.live !== null) task.live = movedBy(task.live, byMs)
    }
    for (const [key, trouble] of state.trouble) {
      state.trouble.set(key, { ...trouble, notBefore: trouble.notBefore + byMs })
    }
    for (const [agent, parked] of state.parked) {
      // A reset is in the provider's time, which did not jump.
      const { since, probeAt } = parked
      state.parked.set(agent, { ...parked, since: since + byMs, probeAt: probeAt + byMs })
    }
    if (state.breaker !== null) state.breaker = { ...state.breaker, probeAt: state.breaker.probeAt + byMs }
    state.progress.lastAt += byMs
  },
  render: ({ byMs }) =>
    aboutPlan(
      `the clock jumped ${byMs < 0 ? 'back' : 'forward'} by ${formatDuration(Math.abs(byMs))}`,
      fact('clock_jumped', { by_ms: byMs }),
    ),
}

function movedBy(live: LiveWorker, byMs: number): LiveWorker {
  const { escalatedAt, armedAt, sentAt, requests, pause } = live.watch
  return {
    ...live,
    since: live.since + byMs,
    watch: {
      ...live.watch,
      escalatedAt: escalatedAt === null ? null : escalatedAt + byMs,
      armedAt: armedAt === null ? null : armedAt + byMs,
      pause: pause === null ? null : { ...pause, since: pause.since + byMs },
      sentAt: Object.fromEntries(Object.entries(sentAt).map(([about, at]) => [about, at + byMs])),
      requests: requests.map((request) => ({ ...request, at: request.at + byMs })),
    },
  }
}

/** The provider behind an agent sets a limit or lifts it. */
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
  render(event) {
    const { agent, until, why, probe, signIn, from } = event
    const data = {
      agent,
      until_ms: until,
      why: cut(why),
      probe: probe ?? null,
      sign_in: signIn ?? null,
      told_by: from ?? null,
    }
    return aboutPlan(limitText(event), fact('provider_limited', data))
  },
}

function limitText({ agent, until, why, probe, signIn }: EventIn<typeof limitedShape>): string {
  if (signIn !== undefined) return `${agent} is not signed in: ${why}`
  if (until !== null) return `${agent} is limited until ${new Date(until).toISOString()}: ${why}`
  return probe === undefined
    ? `${agent} is not working: ${why}`
    : `${probe} probes whether ${agent} works again`
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
  render: ({ agent, why, from }) =>
    aboutPlan(
      `${agent} works again: ${why}`,
      fact('provider_resumed', { agent, why: cut(why), told_by: from ?? null }),
    ),
}
