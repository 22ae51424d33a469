/** Messages that follow from other events than `worker.told`. */
import type { RequestAnswer, RequestKind } from '../../event-schemas/requests.ts'
import type { Message } from '../../event-schemas/watch.ts'

/** A message before it is counted. */
type Written = Omit<Message, 'id'>

interface Asked {
  readonly kind: RequestKind
  readonly ref?: string | undefined
}

/** The answer to a request; `asked` is the request itself. */
export function answerMessage(id: string, answer: RequestAnswer, asked: Asked | undefined): Written {
  const { text, by, outcome } = answer
  const message = { kind: 'answer', text, about: `request ${id}`, by } as const
  if (asked?.kind !== 'permission' || asked.ref === undefined) return message
  // The agent knows its request by an id of its own.
  return { ...message, permission: { id: asked.ref, decision: outcome === 'granted' ? 'allow' : 'deny' } }
}

/** A person gave it more time. */
export const extensionMessage = ({ minutes, by }: { minutes: number; by: string }): Written => ({
  kind: 'answer',
  text: `Your time limit was extended by ${minutes} min (by ${by}).`,
  about: `extension by ${by}`,
  by,
})

/** A person answered an alert about it with a nudge. */
export const nudgeMessage = ({ feedback, by }: { feedback: string; by: string }): Written => ({
  kind: 'nudge',
  text: feedback === '' ? 'Report your progress, then continue.' : feedback,
  about: `nudge by ${by}`,
  by,
})
