/** What the watch finds about a worker, and the messages to it. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { change, withMessage } from '../../fold/watch.ts'
import { FIRST_CHECKIN } from '../../watch/rules.ts'
import { cut, workerLine } from '../activity-lines.ts'
import { eventShape, notInTimeline, type EventDefinition, type EventIn } from '../define.ts'
import { ofWorker, text } from '../../event-schemas/schemas.ts'
import { rejectStopping, rejectUnlessLive, rejectUnlessRunning } from '../rejections.ts'
import {
  HEALTHS,
  INTERVENTIONS,
  messageSchema,
  DELIVERY_CHANNELS,
  type Health,
  type MessageKind,
} from '../../event-schemas/watch.ts'
import { formatDuration } from '../../../lib/text/format-time.ts'

const judgedShape = eventShape('worker.judged', 1, () => ({
  ...ofWorker,
  health: z.enum(HEALTHS),
  why: text,
  /** It is late for what it reported, not for its silence. */
  issue: text.optional(),
}))
type Judged = EventIn<typeof judgedShape>

/** Its health changed; `why` is the evidence. */
export const workerJudged: EventDefinition<typeof judgedShape> = {
  shape: judgedShape,
  rejectionReason: rejectUnlessRunning,
  apply(state, event, at) {
    change(state, event, () => ({ health: event.health }))
    decided(taskIn(state, event.task), at, judgedText(event))
  },
  activity: (event) => [
    workerLine(event, event.issue === undefined ? JUDGED[event.health] : 'issue_reported', {
      health: event.health,
      why: cut(event.why),
    }),
  ],
  timeline: (event) => ({ task: event.task, text: judgedText(event) }),
}

const judgedText = ({ worker, health, why }: Judged): string => `${worker} ${HEALTH_WORDS[health]}: ${why}`

const HEALTH_WORDS = {
  healthy: 'is healthy',
  late: 'is late',
  stalled: 'is stalled',
  timeout_warning: 'is using up its time',
  zombie: 'gives no sign of life',
} as const satisfies Record<Health, string>

const JUDGED = {
  healthy: 'checkin_resumed',
  late: 'missed_checkin',
  stalled: 'worker_stalled',
  timeout_warning: 'timeout_near',
  zombie: 'zombie_detected',
} as const satisfies Record<Health, string>

const toldShape = eventShape('worker.told', 1, () => ({ ...ofWorker, message: messageSchema, why: text }))

/** A message to it; `worker.heard` follows when it was delivered. */
export const workerTold: EventDefinition<typeof toldShape> = {
  shape: toldShape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(state, event, (live) =>
      event.message.id === live.watch.messages + 1
        ? rejectStopping(live)
        : `message ${event.message.id} is not the next message to ${event.worker}`,
    ),
  apply: (state, event, at) => change(state, event, (watch) => withMessage(watch, event.message, at)),
  activity(event) {
    const { id, kind, text, by } = event.message
    // Whether it reaches the worker is not known yet.
    const sent = { message: id, text: cut(text), by, why: cut(event.why), delivered: false }
    return [workerLine(event, SENT[kind], sent)]
  },
  timeline: ({ task, worker, message }) => ({ task, text: `message queued for ${worker}: ${message.text}` }),
}

const SENT = {
  warning: 'timeout_warning',
  reminder: 'missing_checkin',
  nudge: 'worker_nudged',
  restart: 'restart_tried',
  answer: 'answer_sent',
  instruction: 'instruction_sent',
} as const satisfies Record<MessageKind, string>

const heardShape = eventShape('worker.heard', 1, () => ({
  ...ofWorker,
  messages: z.array(z.int().min(1)).min(1),
  via: z.enum(DELIVERY_CHANNELS),
}))

/** These messages were delivered; each only once, while it is waiting. */
export const workerHeard: EventDefinition<typeof heardShape> = {
  shape: heardShape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(state, event, (live) => {
      const waiting = new Set(live.watch.waiting.map(({ id }) => id))
      const other = event.messages.find((id) => !waiting.has(id))
      return other === undefined ? null : `message ${other} is not waiting for ${live.worker}`
    }),
  apply(state, event) {
    const isOfSession = event.via === 'session'
    change(state, event, ({ waiting, unread }) => ({
      waiting: waiting.filter(({ id }) => !event.messages.includes(id)),
      unread: isOfSession ? [...unread, ...event.messages] : unread,
    }))
  },
  activity: (event) => [workerLine(event, 'message_delivered', { messages: event.messages, via: event.via })],
  timeline: notInTimeline,
}

const readShape = eventShape('message.read', 1, () => ({
  ...ofWorker,
  messages: z.array(z.int().min(1)).min(1),
}))

/** Its agent answered the prompt with these messages. */
export const messageRead: EventDefinition<typeof readShape> = {
  shape: readShape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(state, event, ({ worker, watch }) => {
      const other = event.messages.find((id) => !watch.unread.includes(id))
      return other === undefined ? null : `message ${other} is not one that ${worker} has to read`
    }),
  apply: (state, event) =>
    change(state, event, ({ unread }) => ({ unread: unread.filter((id) => !event.messages.includes(id)) })),
  activity: (event) => [workerLine(event, 'message_read', { messages: event.messages })],
  timeline: notInTimeline,
}

const extendedShape = eventShape('worker.extended', 1, () => ({
  ...ofWorker,
  extraMs: z.int().nonnegative(),
  why: text,
}))
type Extended = EventIn<typeof extendedShape>

/** Its supervisor has applied the sum of all extensions to its time limit. */
export const workerExtended: EventDefinition<typeof extendedShape> = {
  shape: extendedShape,
  rejectionReason: rejectUnlessRunning,
  apply(state, event, at) {
    change(state, event, () => ({ extendedMs: event.extraMs }))
    decided(taskIn(state, event.task), at, extendedText(event))
  },
  activity: (event) => [
    workerLine(event, 'time_extension_granted', { extra_ms: event.extraMs, why: cut(event.why) }),
  ],
  timeline: (event) => ({ task: event.task, text: extendedText(event) }),
}

const extendedText = ({ worker, extraMs, why }: Extended): string =>
  `${worker} got ${formatDuration(extraMs)} more: ${why}`

const missedShape = eventShape('checkin.missed', 1, () => ({ ...ofWorker, why: text }))

/** Its first check-in is overdue; this is only recorded. */
export const checkinMissed: EventDefinition<typeof missedShape> = {
  shape: missedShape,
  rejectionReason: rejectUnlessRunning,
  apply: (state, event, at) =>
    change(state, event, (watch) => ({ sentAt: { ...watch.sentAt, [FIRST_CHECKIN]: at } })),
  activity: (event) => [
    workerLine(event, 'missing_checkin', { attempt: event.attempt, why: cut(event.why) }),
  ],
  timeline: ({ task, worker, why }) => ({ task, text: `${worker} has not checked in: ${why}` }),
}

const wouldShape = eventShape('watch.would', 1, () => ({
  ...ofWorker,
  what: z.enum(INTERVENTIONS),
  about: text,
  why: text,
}))
type Would = EventIn<typeof wouldShape>

/** The intervention that `act` mode would have made. */
export const watchWould: EventDefinition<typeof wouldShape> = {
  shape: wouldShape,
  rejectionReason: rejectUnlessRunning,
  apply(state, event, at) {
    change(state, event, (watch) => ({ sentAt: { ...watch.sentAt, [event.about]: at } }))
    decided(taskIn(state, event.task), at, wouldText(event))
  },
  activity: (event) => [workerLine(event, `would_${event.what}`, { why: cut(event.why) })],
  timeline: (event) => ({ task: event.task, text: wouldText(event) }),
}

const wouldText = ({ what, worker, why }: Would): string => `would ${what} ${worker}: ${why}`
