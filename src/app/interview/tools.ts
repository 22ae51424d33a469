/** Performs the tool call of a turn and says which event it comes to. A refused call goes back to the PM. */
import type { InterviewEvent } from '../../core/interview/events/interview-events.ts'
import { MAX_CALLS_PER_MESSAGE } from '../../core/interview/transitions.ts'
import type { ToolCall, TurnInput } from '../../core/interview/turn.ts'
import type { Thought } from '../../ports/brain.ts'
import type { InterviewParts } from './interview-parts.ts'
import { createHash } from 'node:crypto'
import { sessionOf, type SpecDraft, type Machine } from '../../core/interview/machine.ts'
import type { Fault } from '../../lib/refusal.ts'
import { mayHoldKeys } from '../../core/intake/files-about.ts'

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

/**
 * The file tools of an interview. They see the newest commit, from which the plan will start: no path and no link in it leads out
 * of the project. A refusal is an answer to the PM.
 */
export interface FileAnswer {
  readonly ok: boolean
  /** The text, or why the call was refused. */
  readonly result: string
}

type Committed = Awaited<ReturnType<InterviewParts['committedIn']>>

/** Characters of a file, and names of a folder. */
const MOST_SHOWN = 32 * 1024
const MOST_NAMES = 400

const refused = (result: string): FileAnswer => ({ ok: false, result })

/** The beginning of a text file. */
export async function readProjectFile({ files, texts }: Committed, path: string): Promise<FileAnswer> {
  const file = placeOf(path)
  if (!files.includes(file)) return refused(`there is no file ${path} in the newest commit of the project`)
  if (mayHoldKeys(file)) return refused(`${path} may hold keys and is not read`)
  const text = (await texts([file])).get(file)
  if (text === undefined) return refused(`${path} is a binary file, or too large to be read`)
  if (text.length <= MOST_SHOWN) return { ok: true, result: text }
  // A character that the limit cuts is left out.
  const shown = text.slice(0, MOST_SHOWN).replace(/[\uD800-\uDBFF]$/, '')
  return { ok: true, result: `${shown}\n[cut: the first ${shown.length} of ${text.length} characters]` }
}

/** The names in a folder, in which a folder ends in a slash; or all files below it. */
export function listProjectFiles(
  { files }: Pick<Committed, 'files'>,
  { path, recursive }: { readonly path: string; readonly recursive: boolean },
): FileAnswer {
  const folder = placeOf(path)
  const prefix = folder === '' ? '' : `${folder}/`
  const below = files.flatMap((file) => (file.startsWith(prefix) ? [file.slice(prefix.length)] : []))
  if (below.length === 0)
    return folder === ''
      ? { ok: true, result: '(empty)' }
      : refused(`there is no folder ${path} in the newest commit of the project`)
  const names = recursive ? below : [...new Set(below.map((file) => file.replace(/\/.*/s, '/')))]
  const cut = names.length > MOST_NAMES ? [`[cut: the first ${MOST_NAMES} names]`] : []
  return { ok: true, result: [...names.slice(0, MOST_NAMES), ...cut].join('\n') }
}

/** As git names it. */
const placeOf = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
