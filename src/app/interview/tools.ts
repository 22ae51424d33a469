/** Performs the tool call of a turn and says which event it comes to. A refused call goes back to the PM. */
import type { InterviewEvent } from '../../core/interview/events/interview-events.ts'
import { MAX_CALLS_PER_MESSAGE } from '../../core/interview/states.ts'
import type { ToolCall } from '../../core/interview/turn.ts'
import type { Thought } from '../../ports/brain.ts'
import type { InterviewParts } from './interview-parts.ts'
import { listProjectFiles, readProjectFile, type FileAnswer } from './project-files.ts'
import { checkedDraft } from './spec-draft.ts'

export interface ToolPlace {
  /** The project folder. */
  readonly project: string
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
      return called(await readProjectFile(place.project, call.path))
    case 'list_files':
      return called(await listProjectFiles(place.project, call))
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
