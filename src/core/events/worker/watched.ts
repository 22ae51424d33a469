/** What the watch finds about a worker, and the messages to it. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { change, withMessage } from '../../fold/watch.ts'
import { FIRST_CHECKIN } from '../../watch/rules.ts'
import { eventShape, type EventDefinition, type EventIn } from '../define.ts'
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
import { cut, fact, aboutWorker } from '../rendering.ts'

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
  render: (event) => {
    const { health, why, issue } = event
    const name = issue === undefined ? JUDGED[health] : 'issue_reported'
    return aboutWorker(event, judgedText(event), fact(name, { health, why: cut(why) }))
  },
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
  render(event) {
    const { id, kind, text, by } = event.message
    // Whether it reaches the worker is not known yet.
    const data = { message: id, text: cut(text), by, why: cut(event.why), delivered: false }
    return aboutWorker(event, `message queued for ${event.worker}: ${text}`, fact(SENT[kind], data))
  },
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
  render: (event) => {
    const { messages, via } = event
    const delivered = `${messagesText(messages)} delivered ${DELIVERED[via]}`
    return aboutWorker(event, null, fact('message_delivered', { messages, via }, delivered))
  },
}

const DELIVERED = {
  session: 'into its session',
  checkin: 'with its check-in',
  instructions: 'when it asked for messages',
} as const satisfies Record<(typeof DELIVERY_CHANNELS)[number], string>

const messagesText = (ids: readonly number[]): string =>
  `${ids.length === 1 ? 'message' : 'messages'} ${ids.join(', ')}`

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
  render: (event) => {
    const { messages } = event
    return aboutWorker(event, null, fact('message_read', { messages }, `${messagesText(messages)} read`))
  },
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
  render: (event) => {
    const { extraMs, why } = event
    const data = { extra_ms: extraMs, why: cut(why) }
    return aboutWorker(event, extendedText(event), fact('time_extension_granted', data))
  },
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
  render: (event) => {
    const { worker, attempt, why } = event
    const text = `${worker} has not checked in: ${why}`
    return aboutWorker(event, text, fact('missing_checkin', { attempt, why: cut(why) }))
  },
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
  render: (event) =>
    aboutWorker(event, wouldText(event), fact(`would_${event.what}`, { why: cut(event.why) })),
}

const wouldText = ({ what, worker, why }: Would): string => `would ${what} ${worker}: ${why}`
