/** What an interview is owed: a pure function of machine and time, so a restart is one more turn of the same loop. */
import { feedbackMessage } from '../spec/architect-messages.ts'
import type { InterviewEvent } from './events/interview-events.ts'
import { hasUnread, type Instant, type InterviewSession, type Machine, type Recoverable } from './machine.ts'
import { MAX_CALLS_PER_MESSAGE } from './transitions.ts'

export const SUSPEND_LIMIT_MS = 15 * 60_000
export const SERVICE_CHECK_MS = 30_000

export type InterviewOwed =
  /** Until something happens, or until the time given. */
  | { readonly kind: 'nothing'; readonly wakeAt: Instant | null }
  | { readonly kind: 'append'; readonly events: readonly InterviewEvent[] }
  | { readonly kind: 'think' }
  | { readonly kind: 'review' }
  | { readonly kind: 'register_plan' }
  | { readonly kind: 'check_services' }

const NOTHING = { kind: 'nothing', wakeAt: null } as const
const append = (...events: readonly InterviewEvent[]): InterviewOwed => ({ kind: 'append', events })
const failed = (why: string): InterviewOwed => append({ type: 'interview.failed', v: 1, cause: 'error', why })

/** What the log does not hold. */
export interface InterviewObserved {
  /** When the services were last checked in this suspension; null before that. */
  readonly lastCheck: Instant | null
  /** Time in which no daemon ran does not count as an outage. */
  readonly loadedAt: Instant
}

export function owedToInterview(
  machine: Machine,
  now: Instant,
  { lastCheck, loadedAt }: InterviewObserved,
): InterviewOwed {
  const { state, session, parked, since } = machine
  const [interrupted] = machine.recoverable
  if (parked !== null && now < parked.until && (state === 'WORKING' || state === 'AWAIT_ARCHITECT'))
    return { kind: 'nothing', wakeAt: parked.until }
  switch (state) {
    case 'WAITING':
      return interrupted?.cause === 'shutdown' ? append(...restoreEvents(interrupted, 'bosun')) : NOTHING
    case 'DONE':
      return NOTHING
    case 'ERROR':
      return append({ type: 'interview.reset', v: 1 })
    case 'AWAIT_USER': {
      if (session === null) return failed('the interview has no session')
      if (hasUnread(session)) {
        const upTo = session.conversation.length
        return append({ type: 'interview.message_noticed', v: 1, upTo })
      }
      if (session.awaitUserMs === null) return NOTHING
      const limit = since + session.awaitUserMs
      if (now < limit) return { kind: 'nothing', wakeAt: limit }
      return failed(`no message came within ${Math.round(session.awaitUserMs / 1000)} s`)
    }
    case 'WORKING': {
      if (session === null) return failed('the interview has no session')
      if (session.calls.length < MAX_CALLS_PER_MESSAGE) return { kind: 'think' }
      return append(giveUp(session))
    }
    case 'PREVIEW':
      return (session?.draft ?? null) === null ? failed('there is no spec to preview') : NOTHING
    case 'AWAIT_ARCHITECT':
      return owedByArchitect(machine)
    case 'SUSPEND': {
      const limit = Math.max(since, loadedAt) + SUSPEND_LIMIT_MS
      if (now >= limit) return failed(`${machine.outage ?? 'a service'} was unavailable for 15 min`)
      // What has just failed is not asked at once; a daemon that has just started looks at once.
      const first = loadedAt > since ? loadedAt : since + SERVICE_CHECK_MS
      const check = lastCheck === null ? first : lastCheck + SERVICE_CHECK_MS
      return now >= check ? { kind: 'check_services' } : { kind: 'nothing', wakeAt: Math.min(check, limit) }
    }
  }
}

/** The calls for one message are used up. Without a message the user would not know that something is expected. */
function giveUp({ readUpTo, calls }: InterviewSession): InterviewEvent {
  const isTold = calls.some(({ call, ok }) => ok && call.tool === 'chat_post')
  const post = `I used up my ${MAX_CALLS_PER_MESSAGE} steps for your message without a question or a draft. Say it in other words, or tell me to go on.`
  const awaited = { type: 'interview.user_awaited', v: 1, why: 'limit', readUpTo, thought: null } as const
  return isTold ? awaited : { ...awaited, post }
}

function owedByArchitect({ session }: Machine): InterviewOwed {
  const review = session?.review ?? null
  if (review === null) return failed('nothing was submitted to the architect')
  const { result } = review
  if (result === null) return { kind: 'review' }
  if (result.status === 'approved') return { kind: 'register_plan' }
  const message = feedbackMessage(result.feedback)
  return append({ type: 'interview.changes_requested', v: 1, message })
}

/**
 * How an interview that was interrupted is continued in a machine in WAITING, by legal transitions only. A draft that was in preview or with the architect is uploaded again; after an orderly stop it is also submitted again,
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
