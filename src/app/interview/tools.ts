/** Performs the tool call of a turn and says which event it comes to. A refused call goes back to the PM. */
import type { InterviewEvent } from '../../core/interview/events/interview-events.ts'
import { MAX_CALLS_PER_MESSAGE } from '../../core/interview/transitions.ts'
import type { ToolCall, TurnInput } from '../../core/interview/turn.ts'
import type { Thought } from '../../ports/brain.ts'
import type { InterviewParts } from './interview-parts.ts'
import { listProjectFiles, readProjectFile, type FileAnswer } from './project-files.ts'
import { createHash } from 'node:crypto'
import { sessionOf, type SpecDraft, type Machine } from '../../core/interview/machine.ts'
import type { Fault } from '../../lib/refusal.ts'

export interface ToolPlace {
  /** The files of its newest commit. */
  readonly committed: () => ReturnType<InterviewParts['committedIn']>
  /** How many messages the turn saw. */
  readonly readUpTo: number
  readonly checkSpec: InterviewParts['checkSpec']
}

/** Throws only where a tool itself fails. */
export async function performCall(thought: Thought<ToolCall>, place: ToolPlace): Promise<InterviewEvent> {
  const { answer: call, by, fallback, usage } = thought
  const { readUpTo } = place
  const how = { by, fallback, usage: usage === null ? null : { ...usage } }
  const called = ({ ok, result }: FileAnswer): InterviewEvent => ({
    type: 'interview.tool_called',
    v: 1,
    call,
    ok,
    result,
    readUpTo,
    thought: how,
  })
  switch (call.tool) {
    case 'chat_post':
      return called({ ok: true, result: 'posted' })
    case 'read_file':
      return called(await readProjectFile(await place.committed(), call.path))
    case 'list_files':
      return called(listProjectFiles(await place.committed(), call))
    case 'await_user':
      return { type: 'interview.user_awaited', v: 1, why: 'tool', readUpTo, thought: how }
    case 'spec_submit': {
      const checked = checkedDraft(place.checkSpec, call.markdown, call.bootstrap_markdown)
      if (!checked.ok) return called({ ok: false, result: checked.problems.join('\n') })
      return {
        type: 'interview.spec_submitted',
        v: 1,
        result: 'preview_ready',
        draft: checked.draft,
        readUpTo,
        thought: how,
      }
    }
  }
}

export const callsLeft = (calls: number): number => Math.max(0, MAX_CALLS_PER_MESSAGE - calls)

/** A spec that was submitted or uploaded, checked. */
type CheckedDraft =
  | { readonly ok: true; readonly draft: SpecDraft }
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly problems: readonly string[] }

/** Of the bootstrap spec, which has no fixed form, only the size counts. */
const MAX_BOOTSTRAP_BYTES = 100 * 1024

export function checkedDraft(
  checkSpec: InterviewParts['checkSpec'],
  markdown: string,
  bootstrap: string | null,
): CheckedDraft {
  const { metadata, faults } = checkSpec(markdown)
  if (metadata === null || faults.length > 0) {
    const problems = faults.map(({ line, message, remedy }) => `line ${line}: ${message} (${remedy})`)
    return { ok: false, faults, problems }
  }
  if (bootstrap !== null && Buffer.byteLength(bootstrap) > MAX_BOOTSTRAP_BYTES)
    return { ok: false, faults: [], problems: ['the bootstrap spec is larger than 100 KB'] }
  const bootstrap_spec_md = bootstrap === null || bootstrap.trim() === '' ? null : bootstrap
  const draft = { user_spec_md: markdown, bootstrap_spec_md, spec_metadata: metadata }
  return { ok: true, draft: { ...draft, sha256: draftSha256(draft) } }
}

/** The length goes first, so that text cannot move from one document to the other unnoticed. */
function draftSha256(draft: Pick<SpecDraft, 'user_spec_md' | 'bootstrap_spec_md'>): string {
  const hash = createHash('sha256').update(`${Buffer.byteLength(draft.user_spec_md)}\n`)
  return hash
    .update(draft.user_spec_md)
    .update(draft.bootstrap_spec_md ?? '')
    .digest('hex')
}

/** What a turn of the interview sees of its machine. A copy: the machine changes while the brain thinks. */
export function turnInput(machine: Machine): Omit<TurnInput, 'context'> {
  const { expertise, request, conversation, readUpTo, feedback, calls, bootstrap, draft } = sessionOf(machine)
  return {
    expertise,
    request,
    conversation: [...conversation],
    readUpTo,
    feedback,
    calls: [...calls],
    callsLeft: callsLeft(calls.length),
    bootstrap,
    draft: draft?.user_spec_md ?? null,
    bootstrapDraft: draft?.bootstrap_spec_md ?? null,
  }
}
