/** How an interview that was interrupted is continued in a machine in WAITING: by legal transitions only. */
import type { InterviewEvent } from './events/interview-events.ts'
import type { Recoverable } from './machine.ts'

/**
 * A draft that was in preview or with the architect is uploaded again; after an orderly stop it is also submitted again,
 * under the same key. So is one that no message of the user led to: a turn about it could not be taken up again, and
 * nothing would say how to go on. Everything else starts the interview again, with its conversation.
 */
export function restoreEvents({ session, state, cause }: Recoverable, by: string): readonly InterviewEvent[] {
  const { id, draft, review, expertise, startText, request, awaitUserMs, bootstrap } = session
  const isUnasked = state === 'WORKING' && !session.conversation.some(({ from }) => from === 'user')
  if (draft !== null && (state === 'PREVIEW' || state === 'AWAIT_ARCHITECT' || isUnasked)) {
    const uploaded = {
      type: 'interview.spec_uploaded',
      v: 1,
      session: id,
      by,
      draft,
      request,
      earlier: 'restored',
    } as const
    if (cause === 'error' || state !== 'AWAIT_ARCHITECT' || review === null) return [uploaded]
    const { key, request: asked } = review
    const { sha256 } = draft
    return [uploaded, { type: 'interview.review_requested', v: 1, by, key, sha256, request: asked }]
  }
  return [
    {
      type: 'interview.started',
      v: 1,
      session: id,
      by,
      expertise,
      text: startText,
      request,
      // The PM begins by itself only if it was at work.
      bootstrap: { ...bootstrap, needed: bootstrap.needed && state === 'WORKING' },
      awaitUserMs,
      earlier: 'restored',
    },
  ]
}
