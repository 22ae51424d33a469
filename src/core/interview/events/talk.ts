/** What the user writes, and what the PM does about it: one tool call at a time. */
import { z } from 'zod'
import { hasUnread, sessionOf, type InterviewSession, type Machine } from '../machine.ts'
import { MAX_CALLS_PER_MESSAGE } from '../transitions.ts'
import { messageText, type ChatMessage } from '../turn.ts'
import { interviewEvent } from './define.ts'
import { answers, by, callKey, count, specDraft, text, thought, toolCall } from './schemas.ts'
import { cut, fact, aboutPlan } from '../../events/rendering.ts'

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
  render({ by, ...message }) {
    const text = cut(messageText(message))
    return aboutPlan(`${by}: ${text}`, fact('interview_message', { by, text }))
  },
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
  render({ call, ok, result, thought }) {
    const posted = call.tool === 'chat_post' ? cut(call.text) : null
    const text = ok ? posted && `PM: ${posted}` : `${call.tool} refused: ${cut(result)}`
    const called = fact('interview_tool_called', {
      tool: call.tool,
      ok,
      ...(posted === null ? {} : { text: posted }),
      ...('path' in call ? { path: cut(call.path) } : {}),
      ...(ok ? {} : { refused: cut(result) }),
      ...thoughtData(thought),
    })
    return aboutPlan(text, called)
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
  render({ why, thought }) {
    const after = why === 'limit' ? ` after ${MAX_CALLS_PER_MESSAGE} tool calls` : ''
    const data = { why, ...(thought === null ? {} : thoughtData(thought)) }
    return aboutPlan(`waiting for the user${after}`, fact('interview_awaits_user', data))
  },
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
  render({ draft: { sha256, spec_metadata: about }, thought, result }) {
    const data = { result, sha256, ...about, ...thoughtData(thought) }
    const text = `spec "${cut(about.title)}" is ready for review${judgedBy(thought.by)}`
    return aboutPlan(text, fact('spec_submitted', data))
  },
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
