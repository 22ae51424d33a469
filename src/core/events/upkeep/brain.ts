/** The brain was asked for this plan: what it cost, or why it did not judge. */
import { z } from 'zod'
import { decided } from '../../fold/moves.ts'
import { NOT_ASKED } from '../../state/draft.ts'
import { plus, spentOf } from '../../state/spending.ts'
import { cut, workerLine } from '../activity-lines.ts'
import { always, eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { by, taskId, text, usageSchema } from '../../event-schemas/schemas.ts'

const shape = eventShape('brain.answered', 1, () => ({
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
type Answered = EventIn<typeof shape>

/** What it cost counts for the plan and its task; the answer itself is in the event that follows. */
export const brainAnswered: EventDefinition<typeof shape> = {
  shape,
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
  activity: (event) => [
    workerLine({ worker: null, task: event.task }, 'brain_answered', {
      question: event.question,
      by: event.by,
      tokens_in: event.usage?.tokensIn ?? 0,
      tokens_out: event.usage?.tokensOut ?? 0,
      usd: event.usage === null ? 0 : event.usage.usd,
      requests: event.requests,
      cached: event.cached,
      fallback: event.fallback === null ? null : cut(event.fallback),
    }),
  ],
  timeline: (event) => ({ task: event.task, text: answeredText(event) }),
}

function answeredText({ question, by: who, fallback, cached }: Answered): string {
  const name = question.replaceAll('_', ' ')
  if (fallback !== null) return `not judged: ${name}: ${fallback}`
  return cached ? `${who} answered "${name}" before` : `${who} answered "${name}"`
}
