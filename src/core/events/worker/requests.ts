/** A worker's request, and the answer. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { withRequest } from '../../fold/requests.ts'
import { change, withMessage } from '../../fold/watch.ts'
import { plus } from '../../state/spending.ts'
import type { AskedRequest } from '../../state/state.ts'
import { openRequest, requestRejectionReason } from '../../watch/requests/requests.ts'
import { answerMessage } from '../../watch/requests/written-messages.ts'
import { cut, workerLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { ofWorker } from '../../event-schemas/schemas.ts'
import { rejectStopping, rejectUnlessLive } from '../rejections.ts'
import { requestAnswerSchema, requestSchema } from '../../event-schemas/requests.ts'

const receivedShape = eventShape('request.received', 1, () => ({ ...ofWorker, request: requestSchema }))

/** Sent by the worker, or by Bosun on its behalf. */
export const requestReceived: EventDefinition<typeof receivedShape> = {
  shape: receivedShape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(
      state,
      event,
      (live) => rejectStopping(live) ?? requestRejectionReason(live, event.request),
    ),
  apply(state, event, at) {
    const { request, worker } = event
    change(state, event, ({ requests }) => ({
      requests: [...requests, { ...request, at, reply: null, answer: null, specialist: null }],
    }))
    const who = request.by === worker ? 'asks' : `is stuck; ${request.by} asks on its behalf`
    decided(taskIn(state, event.task), at, `${worker} ${who} (${request.id}): ${request.text}`)
  },
  activity(event) {
    const { id, kind, text, by, priority, minutes, tokens, to } = event.request
    const wanted = { minutes, tokens, to }
    return [
      workerLine(event, 'request_received', { id, type: kind, text: cut(text), by, priority, ...wanted }),
    ]
  },
  timeline({ task, worker, request: { id, kind, text, by } }) {
    const asks = by === worker ? 'asks' : `is stuck; ${by} asks on its behalf`
    return { task, text: `${worker} ${asks} (${id}): ${kind.replaceAll('_', ' ')}: ${text}` }
  },
}

const answeredShape = eventShape('request.answered', 1, () => ({
  ...ofWorker,
  id: z.string().min(1),
  answer: requestAnswerSchema,
}))
type Answered = EventIn<typeof answeredShape>

/** Every request is answered, even if denied; the worker gets the answer as a message. */
export const requestAnswered: EventDefinition<typeof answeredShape> = {
  shape: answeredShape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(state, event, (live) =>
      openRequest(live, event.id) === null ? `${event.id} is not open` : rejectStopping(live),
    ),
  apply(state, event, at) {
    const { id, answer } = event
    const { text, by, outcome, minutes = 0, tokens = 0 } = answer
    change(state, event, (watch) => {
      const asked = watch.requests.find((one) => one.id === id)
      const message = answerMessage(id, answer, asked)
      return {
        ...withMessage(watch, message, at),
        extraMs: watch.extraMs + minutes * 60_000,
        requests: withRequest(watch.requests, id, { answer }),
        // The silence of a worker that waited for the answer does not count.
        armedAt: waitsFor(watch.requests, event) ? at : watch.armedAt,
      }
    })
    const task = taskIn(state, event.task)
    task.forgiven = plus(task.forgiven, { tokens, usd: 0 })
    decided(task, at, `${id} was ${outcome} by ${by}: ${text}`)
  },
  activity(event) {
    const { id, answer } = event
    const { outcome, text, by, tokens } = answer
    const answered = workerLine(event, 'request_answered', { id, outcome, text: cut(text), by })
    if (tokens === undefined) return [answered]
    return [answered, workerLine(event, 'resources_allocated', { request: id, tokens, by })]
  },
  timeline: ({ task, id, answer: { outcome, by, text } }) => ({
    task,
    text: `${id} ${outcome} by ${by}: ${text}`,
  }),
}

const waitsFor = (requests: readonly AskedRequest[], { id, worker }: Answered): boolean =>
  requests.some(
    (one) => one.id === id && (one.kind === 'blocked' || one.kind === 'permission') && one.by === worker,
  )
