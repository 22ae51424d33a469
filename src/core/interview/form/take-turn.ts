/**
 * The interview where nobody judges: a form. Each call reads the conversation again and answers with one tool call: it
 * posts the form with what is known, waits, or submits the filled form word for word as a spec.
 */
import { clip } from '../../planning/readers/markdown/inline.ts'
import { readSpec } from '../../spec/read-spec.ts'
import { specText } from '../../spec/spec-markdown.ts'
import { withoutFailures, answerLabel, readReply } from '../read-reply.ts'
import {
  messageText,
  type ChatMessage,
  type ChatQuestion,
  type FormPost,
  type ToolCall,
  type TurnInput,
} from '../turn.ts'
import { bootstrapSpec } from './bootstrap-spec.ts'
import {
  fieldsBegunWith,
  fieldsOfRequest,
  fieldsOfSpec,
  formQuestions,
  isFormQuestion,
  missingFields,
  NEEDED,
  type Fields,
} from './fields.ts'
import { specOfFields } from './spec-of-fields.ts'

const AWAIT: ToolCall = { tool: 'await_user' }
const LONGEST_POST = 8000
const LONGEST_QUOTE = 500

export function takeTurn(turn: TurnInput): ToolCall {
  const last = turn.calls.at(-1)
  const refused = last?.ok === false && last.call.tool === 'spec_submit' ? last.result : null
  // What has just been posted waits for its answer.
  if (turn.callsLeft <= 1 || (refused === null && turn.conversation.at(-1)?.from === 'pm')) return AWAIT
  const pasted = pastedSpec(turn.conversation)
  if (pasted !== null && refused === null) return submitted(pasted, turn.bootstrapDraft)
  const form = readForm(turn)
  const missing = missingFields(form.values)
  const isFilled = form.isPosted && missing.length === 0 && form.unplaced === null
  if (isFilled && refused === null) return submit(turn, form)
  const bootstrap = { ...turn.bootstrap, needed: needsSetUp(turn) }
  return post(words(turn, form, { missing, refused }), formQuestions(form.values, bootstrap))
}

/** What a user finds who goes on with a draft that nobody judged. */
export function continuedForm(draft: string): FormPost | null {
  const { spec } = readSpec(draft)
  if (spec === null) return null
  const questions = formQuestions(fieldsOfSpec(spec), { needed: false, language: null })
  return { text: 'Change what you like; what you leave stays as it is.', questions }
}

/** What would be submitted if the form were sent now; null while it does not know what it is about. */
export function specSoFar(turn: TurnInput): string | null {
  const { values } = readForm(turn)
  return (values.goal ?? '') === '' ? null : specText(specOfFields(values, placeOf(turn)))
}

/** The set-up is written with the first draft. */
const needsSetUp = ({ bootstrap, draft }: TurnInput): boolean => bootstrap.needed && draft === null

const post = (text: string, questions: readonly ChatQuestion[]): ToolCall => ({
  tool: 'chat_post',
  text: clip(text, LONGEST_POST),
  questions,
})

interface Form {
  readonly values: Fields
  /** It was posted since the draft or the architect's feedback, and answered. */
  readonly isPosted: boolean
  /** Words of the last message that no field was named for. */
  readonly unplaced: string | null
}

/** The defaults of the form's last post are what was known then; before the first one, what was written so far. */
function readForm(turn: TurnInput): Form {
  const conversation = withoutFailures(turn.conversation)
  const since = conversation.slice(conversation.findLastIndex(({ from }) => from === 'system') + 1)
  const at = since.findLastIndex(({ questions }) => questions.some(isFormQuestion))
  const posted = since[at]
  if (posted === undefined) return unposted(turn, since)
  const filled = since.slice(at + 1).filter(({ from }) => from === 'user')
  const values = Object.fromEntries(posted.questions.map((question) => [question.id, question.default ?? '']))
  const start: Form = { values, isPosted: filled.length > 0, unplaced: null }
  return filled.reduce((form, message) => filledIn(form, message, posted.questions), start)
}

function filledIn(form: Form, message: ChatMessage, asked: readonly ChatQuestion[]): Form {
  const { answers, rest } = readReply(message, asked)
  const given = Object.entries(answers).map(([id, words]) => [id, words === '-' ? '' : words] as const)
  const values: Fields = { ...form.values, ...Object.fromEntries(given) }
  if (rest === '') return { ...form, values, unplaced: null }
  const read = fieldsOfRequest(rest)
  if (Object.keys(read).some((id) => id !== 'goal' && id !== 'done'))
    return { ...form, values: { ...values, ...read, goal: values.goal ?? read.goal ?? '' }, unplaced: null }
  const empty = NEEDED.find((id) => (values[id] ?? '') === '')
  if (empty === undefined) return { ...form, values, unplaced: rest }
  return {
    ...form,
    values: { ...values, [empty]: empty === 'done' ? rest : (read.goal ?? rest) },
    unplaced: null,
  }
}

/** What a draft says, or else what the user wrote: the first message by its headings, later ones below it. */
function unposted({ draft, feedback, request }: TurnInput, since: readonly ChatMessage[]): Form {
  const { spec } = draft === null ? { spec: null } : readSpec(draft)
  const mine = since.filter(({ from }) => from === 'user')
  const last = mine.at(-1)
  if (spec !== null)
    return {
      values: fieldsOfSpec(spec),
      isPosted: false,
      unplaced: feedback !== null || last === undefined ? null : messageText(last),
    }
  const [first, ...more] = mine
  const fields = first === undefined ? {} : fieldsOfRequest(messageText(first))
  const later = more.flatMap((message) => repliesIn(since, message))
  const goal = [fields.goal ?? '', ...later].filter((text) => text !== '').join('\n')
  const values = fieldsBegunWith(goal === '' ? fields : { ...fields, goal }, request)
  return { values, isPosted: false, unplaced: null }
}

/** An answer to a model's question stands with that question: an option's letter alone says nothing. */
function repliesIn(conversation: readonly ChatMessage[], message: ChatMessage): readonly string[] {
  const before = conversation.slice(0, conversation.indexOf(message)).findLast(({ from }) => from === 'pm')
  const questions = before?.questions ?? []
  const { answers, rest } = readReply(message, questions)
  const given = questions.flatMap((question) => {
    const answer = answers[question.id]
    return answer === undefined ? [] : [`${question.text} ${answerLabel(question, answer)}`]
  })
  return [...given, ...(rest === '' ? [] : [rest])]
}

function words(
  turn: TurnInput,
  { isPosted, unplaced }: Form,
  { missing, refused }: { readonly missing: readonly string[]; readonly refused: string | null },
): string {
  const lines: string[] = []
  if (refused !== null) lines.push(`The spec was refused: ${clip(refused, 2000)}`)
  if (turn.feedback !== null && !isPosted)
    lines.push('Change what the architect names; then you can submit it again.')
  if (isPosted && missing.length > 0) lines.push(...missing.map((text) => `Still needed: ${text}`))
  if (unplaced !== null)
    lines.push(
      `Which field is this for? "${clip(unplaced, LONGEST_QUOTE)}" Put it there, or send it with the number of the field, such as "3: …".`,
    )
  if (lines.length > 0) return lines.join('\n')
  const open = (turn.request?.understood?.open ?? []).map(
    ({ question, options }) => `Say in your words as well: ${question} (${options.join('; ')})`,
  )
  const setUp = needsSetUp(turn) ? ['The repository is empty: its set-up is planned first.'] : []
  return [
    'Here nobody judges what you write: your words become the spec as they are.',
    ...open,
    ...setUp,
  ].join('\n')
}

/** A message that is a spec as a whole is submitted as it is. */
function pastedSpec(conversation: readonly ChatMessage[]): string | null {
  const last = conversation.at(-1)
  return last?.from === 'user' && last.text.trimStart().startsWith('---') && readSpec(last.text).spec !== null
    ? last.text
    : null
}

const submitted = (markdown: string, bootstrap: string | null): ToolCall => ({
  tool: 'spec_submit',
  markdown,
  bootstrap_markdown: bootstrap,
})

function submit(turn: TurnInput, { values }: Form): ToolCall {
  const spec = specOfFields(values, placeOf(turn))
  const setUp = needsSetUp(turn) ? bootstrapSpec(values.language ?? '', turn.bootstrap, spec) : null
  return submitted(specText(spec), setUp === null ? turn.bootstrapDraft : specText(setUp))
}

/** The day of the first message. */
function placeOf({ conversation, draft }: TurnInput): Parameters<typeof specOfFields>[1] {
  const created = new Date(conversation[0]?.at ?? 0).toISOString().slice(0, 10)
  return { created, base: draft === null ? null : readSpec(draft).spec }
}
