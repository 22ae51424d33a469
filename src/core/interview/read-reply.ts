/**
 * What a message answers of the questions before it, by its structure alone: `1b 2a` for options, `1: words` for a question
 * by its number, an option's number where one question is open. Nothing is guessed from its words.
 */
import type { ChatMessage, ChatQuestion, ToolCall } from './turn.ts'

export interface Reply {
  /** By the question's id: the key of an option, or words of the user's own. */
  readonly answers: Readonly<Record<string, string>>
  /** Words that say of no question that they answer it. */
  readonly rest: string
}

export function readReply(
  { text, answers }: Pick<ChatMessage, 'text' | 'answers'>,
  asked: readonly ChatQuestion[],
): Reply {
  const given = Object.entries(answers).map(
    ([id, words]) => [id, valueOf(questionOf(asked, id), words)] as const,
  )
  const read = readText(text.trim(), asked)
  return { answers: { ...read.answers, ...Object.fromEntries(given) }, rest: read.rest }
}

const questionOf = (asked: readonly ChatQuestion[], id: string): ChatQuestion | undefined =>
  asked.find((question) => question.id === id)

function readText(text: string, asked: readonly ChatQuestion[]): Reply {
  if (text === '' || asked.length === 0) return { answers: {}, rest: text }
  const read = coded(text, asked) ?? numbered(text, asked)
  const [only] = asked
  if (only === undefined || asked.length > 1 || only.id in read.answers) return read
  return { answers: { [only.id]: valueOf(only, withoutNumber(text, only)) }, rest: '' }
}

/** "1b" to a single question is its option b. */
const withoutNumber = (text: string, { options }: ChatQuestion): string =>
  options.length > 0 ? text.replace(/^1\s?(?=[a-h]$)/i, '') : text

/** An option's key, letter, number or label; any other words stay as they are. */
function valueOf(question: ChatQuestion | undefined, words: string): string {
  const plain = words.trim()
  const wanted = plain.toLowerCase().replace(/[.)]$/, '')
  const options = question?.options ?? []
  const chosen =
    options.find(({ key }) => key.toLowerCase() === wanted) ??
    options.find(({ label }) => label.toLowerCase() === wanted) ??
    options.find((_, at) => wanted === String(at + 1) || wanted === String.fromCodePoint(97 + at))
  return chosen?.key ?? plain
}

/** Nothing but codes of options; null where there is more in it. */
function coded(text: string, asked: readonly ChatQuestion[]): Reply | null {
  const answers: Record<string, string> = {}
  for (const code of text.split(/[\s,;]+/)) {
    const [, number, letter] = /^(\d{1,2})([a-h])$/i.exec(code) ?? []
    const question = asked[Number(number) - 1]
    const isDefault = question === undefined || letter === undefined || question.options.length === 0
    if (isDefault) return null
    answers[question.id] = valueOf(question, letter)
  }
  return { answers, rest: '' }
}

const NUMBERED = /^[ \t]*(\d{1,2}):[ \t]?(.*)$/

/** `2: words` answers question 2, with the lines below it up to the next number. A number that no question has is text. */
function numbered(text: string, asked: readonly ChatQuestion[]): Reply {
  const parts = new Map<string, string[]>()
  const rest: string[] = []
  let into = rest
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, number, words = ''] = NUMBERED.exec(line) ?? []
    const question = number === undefined ? undefined : asked[Number(number) - 1]
    if (question === undefined) into.push(line)
    else {
      into = [words]
      parts.set(question.id, into)
    }
  }
  const answers = [...parts].map(
    ([id, lines]) => [id, valueOf(questionOf(asked, id), lines.join('\n'))] as const,
  )
  return { answers: Object.fromEntries(answers), rest: rest.join('\n').trim() }
}

/** The words of an answer, for a spec or a person: an option's label. */
export const answerLabel = (question: ChatQuestion, answer: string): string =>
  question.options.find(({ key }) => key === answer)?.label ?? answer

/** A model that fails while an interview goes on: the person decides whether it is asked again or the form takes its place. */
const BRAIN_FAILED = 'brain_failed'

/** `why` names who failed. */
export const askAfterFailure = (why: string): ToolCall => ({
  tool: 'chat_post',
  text: `The model gave no usable answer: ${why}`,
  questions: [
    {
      id: BRAIN_FAILED,
      text: 'How should the interview go on?',
      options: [
        {
          key: 'a',
          label: 'try again',
          consequence: 'the model is asked once more; correct its key or settings first',
        },
        { key: 'b', label: 'go on by the form', consequence: 'you fill in fields, and nobody judges them' },
      ],
      default: 'a',
    },
  ],
})

const isFailure = ({ questions }: ChatMessage): boolean => questions.some(({ id }) => id === BRAIN_FAILED)

/** Whether the user chose the form the last time. It holds for the rest of the interview. */
export function goesByForm(conversation: readonly ChatMessage[]): boolean {
  const at = conversation.findLastIndex(isFailure)
  const reply = conversation.slice(at + 1).find(({ from }) => from === 'user')
  return at !== -1 && reply !== undefined && choiceIn(reply, conversation[at]) === 'b'
}

const choiceIn = (reply: ChatMessage, asked: ChatMessage | undefined): string =>
  readReply(reply, asked?.questions ?? []).answers[BRAIN_FAILED] ?? ''

/** What a model is shown: neither that it failed, nor the answer to that. */
export function withoutFailures(conversation: readonly ChatMessage[]): readonly ChatMessage[] {
  return conversation.filter((message, at) => {
    const before = conversation[at - 1]
    if (isFailure(message)) return false
    const isChoice = before !== undefined && isFailure(before) && message.from === 'user'
    return !isChoice || !['a', 'b'].includes(choiceIn(message, before))
  })
}
