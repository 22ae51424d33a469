/** What the brain proposes after a failed attempt. The rules decide: no proposal goes beyond a budget or skips a gate. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { NOT_ASKED } from '../../state/draft.ts'
import { taskLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { by, ofAttempt, text } from '../../event-schemas/schemas.ts'

const shape = eventShape('task.failure_assessed', 1, () => ({
  ...ofAttempt,
  proposal: z.enum(['retry', 'reduce_scope', 'escalate']),
  /** For the person who may be asked. */
  note: text,
  /** For the next worker; it changes nothing in the contract. */
  advice: text.nullable(),
  by,
}))

export const taskFailureAssessed: EventDefinition<typeof shape> = {
  shape,
  rejectionReason(state, event) {
    const task = state.tasks.get(event.task)
    if (task === undefined) return `task ${event.task} does not exist`
    if (task.step !== 'deciding' || task.attempt !== event.attempt)
      return `attempt ${event.attempt} of task ${event.task} is not what is decided about`
    return task.thinking?.assessment?.attempt === event.attempt ? 'this failure is assessed' : null
  },
  apply(state, event, at) {
    const { attempt: number, proposal, note, advice, by: who } = event
    const task = taskIn(state, event.task)
    const { spent } = task.thinking ?? NOT_ASKED
    task.thinking = { spent, assessment: { attempt: number, proposal, note, advice, by: who } }
    decided(task, at, `${who} proposes to ${proposal.replace('_', ' ')}: ${note}`)
  },
  activity: ({ task, attempt: number, proposal, by: who }) => [
    taskLine(task, 'failure_assessed', { attempt: number, proposal, by: who }),
  ],
  timeline: ({ task, proposal, note, by: who }) => ({
    task,
    text: `${who} proposes to ${proposal.replace('_', ' ')}: ${note}`,
  }),
}
