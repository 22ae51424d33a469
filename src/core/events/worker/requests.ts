/** A worker's request, the specialist that is asked about it, and the answer. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { withRequest, change, withMessage } from '../../fold/watch.ts'
import { plus, spentOf } from '../../state/spending.ts'
import type { AskedRequest } from '../../state/state.ts'
import { openRequest, requestRejectionReason } from '../../watch/requests/requests.ts'
import { answerMessage } from '../../watch/requests/written-messages.ts'
import { eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { ofWorker, usageSchema } from '../../event-schemas/schemas.ts'
import { rejectStopping, rejectUnlessLive } from '../rejections.ts'
import { requestAnswerSchema, requestSchema, specialistAnswerSchema } from '../../event-schemas/requests.ts'
import { cut, fact, aboutWorker } from '../rendering.ts'

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
    const { request } = event
    change(state, event, ({ requests }) => ({
      requests: [...requests, { ...request, at, reply: null, answer: null, specialist: null }],
    }))
    decided(taskIn(state, event.task), at, `${asking(event)}: ${request.text}`)
  },
  render(event) {
    const { id, kind, text, by, priority, minutes, tokens, to } = event.request
    const data = { id, type: kind, text: cut(text), by, priority, minutes, tokens, to }
    const asked = `${asking(event)}: ${kind.replaceAll('_', ' ')}: ${text}`
    return aboutWorker(event, asked, fact('request_received', data))
  },
}

function asking({ worker, request: { id, by } }: EventIn<typeof receivedShape>): string {
  return by === worker ? `${worker} asks (${id})` : `${worker} is stuck; ${by} asks on its behalf (${id})`
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
  render(event) {
    const { id, answer } = event
    const { outcome, text, by, tokens } = answer
    const answered = fact('request_answered', { id, outcome, text: cut(text), by })
    const more = tokens === undefined ? [] : [fact('resources_allocated', { request: id, tokens, by })]
    return aboutWorker(event, `${id} ${outcome} by ${by}: ${text}`, answered, ...more)
  },
}

const waitsFor = (requests: readonly AskedRequest[], { id, worker }: Answered): boolean =>
  requests.some(
    (one) => one.id === id && (one.kind === 'blocked' || one.kind === 'permission') && one.by === worker,
  )

/** A specialist was asked about a worker's request. */
const specialistShape = eventShape('specialist.answered', 1, () => ({
  ...ofWorker,
  /** Of the request. */
  id: z.string().min(1),
  answer: specialistAnswerSchema,
  /** What it used, where its agent reports that. */
  usage: usageSchema.optional(),
}))
type SpecialistAnswered = EventIn<typeof specialistShape>

/** Its answer goes to the worker; without one a person is asked. */
export const specialistAnswered: EventDefinition<typeof specialistShape> = {
  shape: specialistShape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(state, event, (live) => {
      const request = openRequest(live, event.id)
      if (request === null) return `${event.id} is not open`
      return request.specialist === null ? rejectStopping(live) : `a specialist was asked about ${event.id}`
    }),
  apply(state, event, at) {
    const { id, answer, worker } = event
    let question = ''
    change(state, event, ({ requests }) => {
      question = requests.find((one) => one.id === id)?.text ?? ''
      return { requests: withRequest(requests, id, { specialist: answer }) }
    })
    const task = taskIn(state, event.task)
    const used = spentOf(event.usage)
    task.spent = plus(task.spent, used)
    state.spending.total = plus(state.spending.total, used)
    if (answer.outcome === 'answered')
      task.help = [...task.help, { worker, question, answer: answer.text, by: answer.agent ?? 'unknown' }]
    decided(task, at, specialistText(event))
  },
  render: (event) => {
    const { outcome, text, agent = null } = event.answer
    const data = { request: event.id, outcome, text: cut(text), agent }
    return aboutWorker(event, specialistText(event), fact('specialist_answered', data))
  },
}

function specialistText({ id, answer: { outcome, text, agent } }: SpecialistAnswered): string {
  const who = `a specialist${agent === undefined ? '' : ` (${agent})`}`
  return outcome === 'answered' ? `${who} answered ${id}: ${text}` : `${who} did not answer ${id}: ${text}`
}
