/** A specialist was asked about a worker's request. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { withRequest } from '../../fold/requests.ts'
import { change } from '../../fold/watch.ts'
import { plus, spentOf } from '../../state/spending.ts'
import { openRequest } from '../../watch/requests/requests.ts'
import { cut, workerLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { ofWorker, usageSchema } from '../../event-schemas/schemas.ts'
import { specialistAnswerSchema } from '../../event-schemas/requests.ts'
import { rejectStopping, rejectUnlessLive } from '../rejections.ts'

const shape = eventShape('specialist.answered', 1, () => ({
  ...ofWorker,
  /** Of the request. */
  id: z.string().min(1),
  answer: specialistAnswerSchema,
  /** What it used, where its agent reports that. */
  usage: usageSchema.optional(),
}))
type Answered = EventIn<typeof shape>

/** Its answer goes to the worker; without one a person is asked. */
export const specialistAnswered: EventDefinition<typeof shape> = {
  shape,
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
    decided(task, at, answeredText(event))
  },
  activity: (event) => [
    workerLine(event, 'specialist_answered', {
      request: event.id,
      outcome: event.answer.outcome,
      text: cut(event.answer.text),
      agent: event.answer.agent ?? null,
    }),
  ],
  timeline: (event) => ({ task: event.task, text: answeredText(event) }),
}

function answeredText({ id, answer: { outcome, text, agent } }: Answered): string {
  const who = `a specialist${agent === undefined ? '' : ` (${agent})`}`
  return outcome === 'answered' ? `${who} answered ${id}: ${text}` : `${who} did not answer ${id}: ${text}`
}
