/** What the user writes, and what the PM does about it: one tool call at a time. */
import { z } from 'zod'
import { cut } from '../../events/activity-lines.ts'
import { hasUnread, sessionOf, type InterviewSession, type Machine } from '../machine.ts'
import { MAX_CALLS_PER_MESSAGE } from '../states.ts'
import { messageText, type ChatMessage } from '../turn.ts'
import { interviewEvent, interviewLine, inTimeline } from './define.ts'
import { answers, by, callKey, count, specDraft, text, thought, toolCall } from './schemas.ts'

/** Of a whole conversation, in characters. */
export const MAX_CONVERSATION = 1_000_000

/** The user wrote. The message is kept in whatever state the interview is; noticing it is another event. */
export const messageReceived = interviewEvent('interview.message_received', {
  fields: () => ({
    by: by(),
    text: text(),
    answers: answers(),
    callKey: callKey(),
  }),
  rejectionReason: (machine, message) => chatRejection(machine, messageText(message)),
  change(machine, { text, answers }, at) {
    sessionOf(machine).conversation.push({ from: 'user', text, questions: [], answers, at })
  },
  activity: ({ by, ...message }) => [
    interviewLine('interview_message', { by, text: cut(messageText(message)) }),
  ],
  timeline: ({ by, ...message }) => inTimeline(`${by}: ${cut(messageText(message))}`),
})

/** Why the interview takes no message now. */
function chatRejection({ state, suspendedFrom, session }: Machine, text: string): string | null {
  const at = state === 'SUSPEND' ? suspendedFrom : state
  if (session === null || (at !== 'AWAIT_USER' && at !== 'WORKING'))
    return `an interview in ${at ?? state} takes no messages`
  const length = session.conversation.reduce((sum, message) => sum + messageText(message).length, text.length)
  return length > MAX_CONVERSATION
    ? `the conversation is too long (more than ${MAX_CONVERSATION} characters)`
    : null
}

/** The interview goes on with what the user wrote. */
export const messageNoticed = interviewEvent('interview.message_noticed', {
  fields: () => ({ upTo: count() }),
  trigger: () => 'user_message',
  rejectionReason: ({ session }) =>
    session !== null && hasUnread(session) ? null : 'there is no new message',
  change(machine, { upTo }) {
    const session = sessionOf(machine)
    session.readUpTo = upTo
    session.calls = []
  },
})

/** A tool call that leaves the interview at work: a post, a look at files, or a call that was refused. */
export const toolCalled = interviewEvent('interview.tool_called', {
  fields: () => ({
    call: toolCall(),
    ok: z.boolean(),
    result: text(),
    /** How many messages the turn saw. */
    readUpTo: count(),
    thought: thought(),
  }),
  trigger: () => 'tool_call',
  rejectionReason: ({ session }) =>
    session === null || session.calls.length >= MAX_CALLS_PER_MESSAGE
      ? `more than ${MAX_CALLS_PER_MESSAGE} tool calls for one message`
      : null,
  change(machine, { call, ok, result, readUpTo, thought }, at) {
    const session = sessionOf(machine)
    session.spentUsd += usdOf(thought)
    session.calls.push({ call, ok, result })
    session.readUpTo = Math.max(session.readUpTo, readUpTo)
    machine.parked = null
    if (call.tool !== 'chat_post' || !ok) return
    const { text, questions } = call
    addPost(session, { from: 'pm', text, questions: questions ?? [], answers: {}, at })
  },
  activity: ({ call, ok, result, thought }) => [
    interviewLine('interview_tool_called', {
      tool: call.tool,
      ok,
      ...(call.tool === 'chat_post' ? { text: cut(call.text) } : {}),
      ...('path' in call ? { path: cut(call.path) } : {}),
      ...(ok ? {} : { refused: cut(result) }),
      ...thoughtData(thought),
    }),
  ],
  timeline({ call, ok, result }) {
    if (!ok) return inTimeline(`${call.tool} refused: ${cut(result)}`)
    return call.tool === 'chat_post' ? inTimeline(`PM: ${cut(call.text)}`) : null
  },
})

/** What the PM itself posted is not news to it, unless the user wrote before it was posted. */
export function addPost(session: InterviewSession, message: ChatMessage): void {
  session.conversation.push(message)
  if (!hasUnread(session)) session.readUpTo = session.conversation.length
}

export const userAwaited = interviewEvent('interview.user_awaited', {
  fields: () => ({
    /** `limit`: the calls for one message are used up. */
    why: z.enum(['tool', 'limit']),
    readUpTo: count(),
    thought: thought().nullable(),
    /** The message to the user; absent where the PM has posted something. */
    post: text().optional(),
  }),
  trigger: () => 'await_user',
  change(machine, { readUpTo, thought, post }, at) {
    const session = sessionOf(machine)
    session.spentUsd += usdOf(thought)
    session.readUpTo = Math.max(session.readUpTo, readUpTo)
    session.calls = []
    machine.parked = null
    if (post !== undefined) addPost(session, { from: 'pm', text: post, questions: [], answers: {}, at })
  },
  activity: ({ why, thought }) => [
    interviewLine('interview_awaits_user', { why, ...(thought === null ? {} : thoughtData(thought)) }),
  ],
  timeline: ({ why }) =>
    inTimeline(
      why === 'limit'
        ? `waiting for the user after ${MAX_CALLS_PER_MESSAGE} tool calls`
        : 'waiting for the user',
    ),
})

/** The PM's spec is valid and ready for the user to see. */
export const specSubmitted = interviewEvent('interview.spec_submitted', {
  fields: () => ({
    /** What the tool answers. */
    result: z.literal('preview_ready'),
    draft: specDraft(),
    readUpTo: count(),
    thought: thought(),
  }),
  trigger: () => 'spec_submit',
  change(machine, { draft, readUpTo, thought }) {
    const session = sessionOf(machine)
    session.spentUsd += usdOf(thought)
    session.draft = draft
    session.draftedBy = thought.by
    session.feedback = null
    session.calls = []
    session.readUpTo = Math.max(session.readUpTo, readUpTo)
    machine.parked = null
  },
  activity: ({ draft, thought, result }) => [
    interviewLine('spec_submitted', {
      result,
      sha256: draft.sha256,
      ...draft.spec_metadata,
      ...thoughtData(thought),
    }),
  ],
  timeline: ({ draft, thought }) =>
    inTimeline(`spec "${cut(draft.spec_metadata.title)}" is ready for review${judgedBy(thought.by)}`),
})

/** Says it where nobody judged. */
export const judgedBy = (by: string): string => (by === 'nobody' ? ' (not judged: no model)' : '')

/** Zero where no model answered, or its price is unknown. */
function usdOf(thought: { readonly usage: Readonly<Record<string, unknown>> | null } | null): number {
  const usd = thought?.usage?.['usd']
  return typeof usd === 'number' && usd > 0 ? usd : 0
}

const thoughtData = ({ by, fallback, usage }: { by: string; fallback: string | null; usage: unknown }) => ({
  by,
  ...(fallback === null ? {} : { fallback: cut(fallback) }),
  ...(usage === null ? {} : { usage }),
})
