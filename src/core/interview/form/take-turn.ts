/**
 * The interview without a model: a guided form. Each call reads the whole conversation again and answers with one tool
 * call: it asks, waits, or submits the spec.
 */
import { readSpec } from '../../spec/read-spec.ts'
import { specText } from '../../spec/write-spec.ts'
import type { ChatMessage, ToolCall, TurnInput } from '../turn.ts'
import { bootstrapSpec } from './bootstrap-spec.ts'
import { buildSpec, type BuiltSpec } from './build-spec.ts'
import { feedbackQuestions, isFeedbackQuestion, settledByRules } from './feedback.ts'
import { emptyForm, factsOf, replayNext, type FormInput, type FormState } from './form-state.ts'
import { phraseByRules } from './phrase.ts'
import { clipped } from './plain-text.ts'
import { draftPost, feedbackPost, questionsPost, whatToChangePost, type PostParts } from './posts.ts'
import { nextQuestions } from './topics.ts'

/** After this many posts with questions the draft follows, whatever is still open. */
const MOST_POSTS = 16
const MOST_FILES = 2
const AWAIT: ToolCall = { tool: 'await_user' }

const post = (
  text: string,
  questions: Extract<ToolCall, { tool: 'chat_post' }>['questions'] = null,
): ToolCall => ({
  tool: 'chat_post',
  text: clipped(text, 8000),
  questions,
})

export function takeTurn(turn: TurnInput): ToolCall {
  const last = turn.calls.at(-1)
  // What the user wrote after the turn began is answered as well.
  const isInterrupted = turn.conversation.slice(turn.readUpTo).some(({ from }) => from === 'user')
  const posts = (isInterrupted ? [] : turn.calls).filter(({ call, ok }) => ok && call.tool === 'chat_post')
  const hasAsked = posts.some(({ call }) => call.tool === 'chat_post' && call.questions !== null)
  const refused = turn.calls.findLast(({ call, ok }) => !ok && call.tool === 'spec_submit')
  if (hasAsked || turn.callsLeft <= 1 || (last?.ok === false && last.call.tool === 'chat_post')) return AWAIT
  if (refused !== undefined) return last === refused ? post(refusedText(refused.result)) : AWAIT
  const file = unreadFile(turn)
  if (file !== null) return { tool: 'read_file', path: file }
  const form = readForm(turn)
  const asks = form.hasDraft ? afterDraft(turn, form) : beforeDraft(turn, form)
  if (asks !== null) return posts.length > 0 ? AWAIT : asks
  return posts.length > 0
    ? submit(turn, form)
    : post(draftPost(form.parts, form.built.spec, form.built.assumed))
}

/** The spec that the form would submit if the user asked for it now; null while it does not know what it is about. */
export function specSoFar(turn: TurnInput): string | null {
  const { parts, built } = readForm(turn)
  return parts.facts.goal === null ? null : specText(built.spec)
}

const refusedText = (why: string): string =>
  `The draft was refused: ${clipped(why, 2000)}\nTell me what should change.`

interface Form {
  readonly parts: PostParts
  readonly built: BuiltSpec
  /** A spec was submitted or uploaded before. */
  readonly hasDraft: boolean
}

/** Questions about what is open; null where the draft can be shown. */
function beforeDraft(turn: TurnInput, { parts }: Form): ToolCall | null {
  const { state, facts } = parts
  if (state.isFinished && facts.goal !== null) return null
  if (state.posts >= MOST_POSTS) return null
  const questions = nextQuestions(facts, turn.expertise, {
    topics: state.asked,
    passedOver: state.passedOver,
    pending: state.pending.map(({ id }) => id),
  })
  return questions.length === 0 ? null : post(questionsPost(parts, questions), questions)
}

/** What the architect objects to, or what a message that changed nothing was about; null for the changed spec. */
function afterDraft(turn: TurnInput, { parts, built }: Form): ToolCall | null {
  const { state } = parts
  const at = turn.conversation.findLastIndex(({ from }) => from === 'system')
  const since = turn.conversation.slice(at + 1)
  const wasAsked = since.some(({ from, questions }) => from === 'pm' && questions.some(isFeedbackQuestion))
  if (turn.feedback !== null && !wasAsked) {
    const questions = feedbackQuestions(turn.feedback, built.spec).map((question) => ({
      ...question,
      text: phraseByRules(question, turn.expertise),
    }))
    return questions.length === 0
      ? null
      : post(feedbackPost(settledByRules(turn.feedback).length, questions), questions)
  }
  const { answered, added, removed, changes, isFinished } = state.last
  const isNews = answered.length + added.length + removed.length + changes.length > 0
  if (isNews || isFinished || wasToldWhatToChange(turn)) return null
  return post(whatToChangePost(parts, built.spec))
}

/** The second message in a row that changes nothing shows the draft again. */
function wasToldWhatToChange({ conversation }: TurnInput): boolean {
  const before = conversation.slice(
    0,
    conversation.findLastIndex(({ from }) => from === 'user'),
  )
  const last = before.findLast(({ from }) => from !== 'user')
  return last?.from === 'pm' && last.text.includes('Tell me what should change')
}

function submit(turn: TurnInput, { parts, built }: Form): ToolCall {
  const { spec } = built
  const setUp = bootstrapSpec(parts.facts, turn.bootstrap, spec)
  return {
    tool: 'spec_submit',
    markdown: specText(spec),
    bootstrap_markdown: setUp === null ? turn.bootstrapDraft : specText(setUp),
  }
}

/**
 * A draft that the form made itself is made again from the whole conversation, so that a later answer may replace an
 * earlier one. Any other draft keeps its words, and only what was stated since then changes it.
 */
function readForm(turn: TurnInput): Form {
  const input = formInput(turn)
  const own = replayed(input, turn.draft)
  if (turn.draft === null || own.isSame) return formOf(turn, input, own.state)
  const { spec } = readSpec(turn.draft)
  if (spec === null) return formOf(turn, input, own.state)
  return formOf(
    turn,
    input,
    replayed({ ...input, conversation: sinceDraft(turn) }, null, emptyForm(spec)).state,
  )
}

function formOf(turn: TurnInput, input: FormInput, state: FormState): Form {
  const facts = factsOf(state, input)
  const { expertise } = turn
  const built = buildSpec(state, facts, { expertise, created: createdOn(turn) })
  return { parts: { state, facts, expertise }, built, hasDraft: turn.draft !== null }
}

function formInput(turn: TurnInput): FormInput {
  const { conversation, expertise, bootstrap } = turn
  const files = turn.calls.flatMap(({ call, ok, result }) =>
    ok && call.tool === 'read_file' ? [{ path: call.path, text: result }] : [],
  )
  return { conversation, expertise, bootstrap, files }
}

/** Reads every message; `isSame`: at one of them the form had made exactly this draft. */
function replayed(
  input: FormInput,
  draft: string | null,
  state: FormState = emptyForm(),
): { readonly state: FormState; readonly isSame: boolean } {
  let isSame = false
  for (const message of input.conversation) {
    replayNext(state, message, input)
    if (draft !== null && !isSame && message.from !== 'pm') {
      const { expertise } = input
      const { spec } = buildSpec(state, factsOf(state, input), { expertise, created: createdOn(input) })
      isSame = specText(spec) === draft
    }
  }
  return { state, isSame }
}

/** With feedback everything since it; else the last messages of the user, with the questions before them. */
function sinceDraft({ conversation, feedback, calls }: TurnInput): readonly ChatMessage[] {
  if (feedback !== null)
    return conversation.slice(conversation.findLastIndex(({ from }) => from === 'system'))
  const posts = calls.filter(({ call, ok }) => ok && call.tool === 'chat_post').length
  const others = conversation.flatMap(({ from }, at) => (from === 'user' ? [] : [at]))
  const start = others.at(-posts - 1) ?? 0
  // A message may have come between the posts of this turn.
  return conversation.slice(start).filter(({ from }, at) => at === 0 || from === 'user')
}

/** The day of the first message. */
function createdOn({ conversation }: Pick<TurnInput, 'conversation'>): string {
  const at = conversation[0]?.at ?? 0
  return new Date(at).toISOString().slice(0, 10)
}

const REFERENCE =
  /\b(?:see|in|from|read|per|described in|according to|as in|siehe|laut|gemäß)\s+[`"']?((?:[\w.-]+\/){0,8}[\w-][\w.-]*\.(?:md|markdown|txt))\b/gi

/** A file that a message refers to ("see docs/idea.md") and that was not read yet in this turn. */
function unreadFile({ conversation, calls, callsLeft }: TurnInput): string | null {
  const paths = conversation
    .filter(({ from }) => from === 'user')
    .flatMap(({ text }) => [...text.slice(0, 20_000).matchAll(REFERENCE)])
    .filter(([words]) => !/^(?:in|from)\b/i.test(words) || /\b(?:in|from)\s+[`"']?docs\//i.test(words))
    .map((found) => found[1] ?? '')
  const wanted = [...new Set(paths)].slice(0, MOST_FILES)
  const read = calls.flatMap(({ call }) => (call.tool === 'read_file' ? [call.path] : []))
  return callsLeft > 4 ? (wanted.find((path) => !read.includes(path)) ?? null) : null
}
