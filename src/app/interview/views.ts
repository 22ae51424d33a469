/** What the doors show of an interview. */
import type { InterviewSession, Machine } from '../../core/interview/machine.ts'
import { feedbackIn } from '../../core/spec/architect-messages.ts'
import { plainLine } from '../../lib/text/quoted.ts'
import type { ConversationAnswer, PmStatus, PreviewAnswer } from '../../protocol/interview.ts'
import type { InterviewRow } from '../../protocol/answers.ts'

/** Of a repository that never had an interview. */
export const idleStatus = (damaged: string | null): PmStatus => ({
  session_id: null,
  state: 'WAITING',
  suspended_from: null,
  open_question: null,
  spec_sha: null,
  expertise: null,
  messages: 0,
  spent_usd: 0,
  why: null,
  parked_until: null,
  recoverable: null,
  plan: null,
  damaged,
})

export function statusOf(
  machine: Machine,
  { now, damaged }: { readonly now: number; readonly damaged: string | null },
): PmStatus {
  const { state, suspendedFrom, session, plan, outage, parked } = machine
  const [recoverable = null] = machine.recoverable
  const isParked = parked !== null && parked.until > now
  return {
    session_id: session?.id ?? null,
    state,
    suspended_from: suspendedFrom,
    open_question: openQuestion(machine),
    spec_sha: session?.draft?.sha256 ?? null,
    expertise: session?.expertise ?? null,
    messages: session?.conversation.length ?? 0,
    spent_usd: session?.spentUsd ?? 0,
    why: outage ?? (isParked ? `${parked.service} accepts no work at the moment` : null),
    parked_until: isParked ? new Date(parked.until).toISOString() : null,
    recoverable:
      recoverable === null
        ? null
        : {
            session_id: recoverable.session.id,
            state: recoverable.state,
            why: recoverable.why,
            since: new Date(recoverable.at).toISOString(),
            messages: recoverable.session.conversation.length,
            spec_sha: recoverable.session.draft?.sha256 ?? null,
          },
    plan,
    damaged,
  }
}

/** What the PM posted last, while the user has not answered it. */
function openQuestion({ state, session }: Machine): PmStatus['open_question'] {
  if (state !== 'AWAIT_USER') return null
  const last = session?.conversation.findLast(({ from }) => from !== 'system')
  return last?.from === 'pm' ? { text: last.text, questions: last.questions } : null
}

/** Null where there is no draft. */
export function previewOf({ session, state }: Machine): PreviewAnswer | null {
  const draft = session?.draft ?? null
  if (session === null || draft === null) return null
  const { user_spec_md, bootstrap_spec_md, spec_metadata, sha256 } = draft
  return { session_id: session.id, state, spec_sha: sha256, user_spec_md, bootstrap_spec_md, spec_metadata }
}

export function conversationOf(machine: Machine | null, after: number): ConversationAnswer {
  const all = machine?.session?.conversation ?? []
  const messages = all.slice(after).map(({ from, text, questions, answers, at }, index) => ({
    position: after + index + 1,
    // What Bosun tells the PM is the architect's feedback.
    ...(from === 'system' ? ({ from: 'architect', text: feedbackIn(text) } as const) : { from, text }),
    questions,
    answers,
    at: new Date(at).toISOString(),
  }))
  return {
    session_id: machine?.session?.id ?? null,
    state: machine?.state ?? 'WAITING',
    messages,
    next: Math.max(after, all.length),
  }
}

export type OpenRow = InterviewRow

const LONGEST_TITLE = 80

/** An open interview in one row. It waits for the user's answer, or for a click on the preview. */
export function openRow({ state }: Pick<Machine, 'state'>, session: InterviewSession, repo: string): OpenRow {
  const title = plainLine(session.draft?.spec_metadata.title ?? session.startText ?? '', LONGEST_TITLE)
  return {
    session_id: session.id,
    repo,
    title: title === '' ? 'Interview' : title,
    state,
    waits: state === 'AWAIT_USER' || state === 'PREVIEW',
  }
}
