/** Progress reports, failed effects that are retried, and input that came too late. */
import { z } from 'zod'
import { backoffMs } from '../../state/budgets.ts'
import { cut, planLine } from '../activity-lines.ts'
import { always, changesNothing, eventShape, type EventDefinition } from '../define.ts'
import { text } from '../../event-schemas/schemas.ts'

const reportedShape = eventShape('progress.reported', 1, () => ({ why: text, text }))

export const progressReported: EventDefinition<typeof reportedShape> = {
  shape: reportedShape,
  rejectionReason: always,
  apply(state, _event, at) {
    Object.assign(state.progress, { completedSince: 0, lastAt: at, due: null })
  },
  activity: (event) => [planLine('progress_report', { why: cut(event.why), text: cut(event.text) })],
  timeline(event) {
    const [head = '', ...details] = event.text.split('\n')
    return { task: null, text: head, details }
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
  activity: ({ effect, reason }) => [planLine('effect_failed', { effect: cut(effect), reason: cut(reason) })],
  timeline: ({ effect, reason }) => ({ task: null, text: `${effect} failed: ${reason}` }),
}

const ignoredShape = eventShape('word.ignored', 1, () => ({ from: text, about: text, why: text }))

/** Input from a worker that no longer counts. It is kept and changes nothing. */
export const wordIgnored: EventDefinition<typeof ignoredShape> = {
  shape: ignoredShape,
  rejectionReason: always,
  apply: changesNothing,
  activity: ({ from, about, why }) => [
    planLine('word_ignored', { from: cut(from), about: cut(about), why: cut(why) }),
  ],
  timeline: ({ from, about, why }) => ({ task: null, text: `ignored ${about} of ${from} (${why})` }),
}
