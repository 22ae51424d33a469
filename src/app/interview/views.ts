/** What the doors show of an interview. */
import { interviewParts } from './interview-stream.ts'
import type { InterviewSession, Machine, Recoverable } from '../../core/interview/machine.ts'
import { feedbackIn } from '../../core/spec/architect-messages.ts'
import { iso } from '../../lib/text/format-time.ts'
import { plainLine } from '../../lib/text/quoted.ts'
import type { ConversationAnswer, PmStatus, PreviewAnswer, OutlineAnswer } from '../../protocol/interview.ts'
import type { InterviewRow } from '../../protocol/answers.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import type { EventReader } from '../../ports/event-log.ts'
import type { Repositories } from '../../ports/repositories.ts'
import { loadMachine } from './interview-log.ts'
import { specSoFar } from '../../core/interview/form/take-turn.ts'
import { turnInput } from './tools.ts'

/** `machine` is null for a repository that never had an interview. */
export function statusOf(
  machine: Machine | null,
  { now, damaged }: { readonly now: number; readonly damaged: string | null },
): PmStatus {
  const { session = null, outage = null, parked = null } = machine ?? {}
  const kept = (machine?.recoverable ?? []).map(keptRow)
  const isParked = parked !== null && parked.until > now
  return {
    session_id: session?.id ?? null,
    state: machine?.state ?? 'WAITING',
    suspended_from: machine?.suspendedFrom ?? null,
    open_question: machine === null ? null : openQuestion(machine),
    spec_sha: session?.draft?.sha256 ?? null,
    expertise: session?.expertise ?? null,
    messages: session?.conversation.length ?? 0,
    spent_usd: session?.spentUsd ?? 0,
    why: outage ?? (isParked ? `${parked.service} accepts no work at the moment` : null),
    parked_until: isParked ? iso(parked.until) : null,
    recoverable: kept[0] ?? null,
    kept,
    plan: machine?.plan ?? null,
    damaged,
  }
}

const keptRow = ({ session, state, why, at }: Recoverable): PmStatus['kept'][number] => ({
  session_id: session.id,
  title: titleOf(session),
  state,
  why,
  since: iso(at),
  messages: session.conversation.length,
  spec_sha: session.draft?.sha256 ?? null,
})

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
    at: iso(at),
  }))
  return {
    session_id: machine?.session?.id ?? null,
    state: machine?.state ?? 'WAITING',
    messages,
    next: Math.max(after, all.length),
  }
}

const LONGEST_TITLE = 80

const titleOf = ({ draft, startText }: InterviewSession): string =>
  plainLine(draft?.spec_metadata.title ?? startText ?? '', LONGEST_TITLE) || 'Interview'

/** An open interview in one row. It waits for the user's answer, or for a click on the preview. */
export function openRow(
  { state }: Pick<Machine, 'state'>,
  session: InterviewSession,
  repo: string,
): InterviewRow {
  return {
    session_id: session.id,
    repo,
    title: titleOf(session),
    state,
    waits: state === 'AWAIT_USER' || state === 'PREVIEW',
  }
}

/** The open interviews, as the log has them: for commands without a daemon. */
export async function openRowsIn(
  log: Pick<EventReader<LogEvent>, 'read' | 'streams' | 'loadSnapshot'>,
  repositories: Pick<Repositories, 'find'>,
): Promise<readonly InterviewRow[]> {
  const rows: InterviewRow[] = []
  for (const { stream } of await log.streams({ open: true })) {
    const place = interviewParts(stream)
    const repository = place === null ? null : await repositories.find(place.repository)
    if (repository === null) continue
    const { machine } = await loadMachine(log, stream)
    const [kept] = machine.recoverable
    if (machine.session !== null) rows.push(openRow(machine, machine.session, repository.path))
    // After an orderly stop it goes on with the next daemon.
    else if (kept?.cause === 'shutdown') rows.push(openRow(kept, kept.session, repository.path))
  }
  return rows
}

/** The spec as far as the conversation has come, by the rules: what a user watches grow while questions are open. */
export function outlineOf(machine: Machine | null): OutlineAnswer {
  if (machine === null || machine.session === null) return { session_id: null, markdown: null }
  const { id, draft } = machine.session
  return { session_id: id, markdown: draft?.user_spec_md ?? specSoFar(turnInput(machine)) }
}
