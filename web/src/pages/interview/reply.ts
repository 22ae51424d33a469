/** What a user chose for the open questions, as the message that is sent, and read back for the conversation. */
import type { ConversationAnswer } from '../../../../src/protocol/interview.ts'

export type ChatMessage = ConversationAnswer['messages'][number]
export type ChatQuestion = ChatMessage['questions'][number]

/** An option's key, or words of the user's own; a question without one is left to its default. */
export type Choice =
  | { readonly kind: 'option'; readonly key: string }
  | { readonly kind: 'own'; readonly text: string }
export type Choices = Readonly<Record<string, Choice | undefined>>

/** How to answer in a terminal, and how many questions follow: the page shows the questions as forms. */
const FOR_TERMINALS =
  /^(One question:|\d+ questions:|Answer like "1b 2a".*|Answer in your own words, or with the letters\..*|For example "1b 2a 3 own words".*)$/

/** What the PM says beside its questions. */
export const spokenText = ({ text, questions }: Pick<ChatMessage, 'text' | 'questions'>): string =>
  questions.length === 0
    ? text
    : text
        .split('\n')
        .filter((line) => !FOR_TERMINALS.test(line))
        .join('\n')

/** The letter that an option is answered by. */
export const letterOf = (key: string, at: number): string =>
  /^[a-h]$/.test(key) ? key : String.fromCodePoint(97 + at)

/** Questions that have neither a choice nor a default. */
export const unanswered = (questions: readonly ChatQuestion[], choices: Choices): readonly ChatQuestion[] =>
  questions.filter((question) => question.default === null && !isAnswered(choices[question.id]))

const isAnswered = (choice: Choice | undefined): boolean =>
  choice?.kind === 'option' || (choice?.kind === 'own' && choice.text.trim() !== '')

/**
 * `1b, 2 default` and own words in a line each, as the interview reads them. A default that was not touched stays the PM's
 * choice, so that the spec lists it as assumed.
 */
export function replyText(questions: readonly ChatQuestion[], choices: Choices, more = ''): string {
  const parts = questions.map((question, at) => partFor(question, choices[question.id], at + 1))
  const words = more.trim()
  if (questions.length > 0 && parts.every(({ kind }) => kind === 'default'))
    return words === '' ? 'you decide' : `you decide\n${words}`
  const codes = parts.flatMap(({ kind, text }) => (kind === 'own' || text === '' ? [] : [text])).join(', ')
  const own = parts.flatMap(({ kind, text }) => (kind === 'own' ? [text] : []))
  return [codes, ...own, words].filter((line) => line !== '').join('\n')
}

interface Part {
  readonly kind: 'option' | 'own' | 'default' | 'open'
  readonly text: string
}

function partFor(question: ChatQuestion, choice: Choice | undefined, number: number): Part {
  if (choice?.kind === 'own' && choice.text.trim() !== '')
    return { kind: 'own', text: `${number}: ${choice.text.trim().replaceAll(/\s*\n\s*/g, ' ')}` }
  if (choice?.kind === 'option') {
    const at = question.options.findIndex(({ key }) => key === choice.key)
    return { kind: 'option', text: `${number}${letterOf(choice.key, Math.max(0, at))}` }
  }
  return question.default === null
    ? { kind: 'open', text: '' }
    : { kind: 'default', text: `${number} default` }
}

export interface ReadReply {
  readonly answers: readonly { readonly question: string; readonly answer: string }[]
  /** What it says beside the answers. */
  readonly more: string
}

/** What a message of this form answers, in the words of the options; null for a message of any other form. */
export function readReply(text: string, questions: readonly ChatQuestion[]): ReadReply | null {
  if (questions.length === 0) return null
  const [first = '', ...rest] = text.split('\n')
  if (first === 'you decide')
    return {
      answers: questions.map((question) => ({ question: question.text, answer: defaultLabel(question) })),
      more: rest.join('\n').trim(),
    }
  const codes = first.split(', ').map((code) => /^(\d{1,2})([a-h]| default)$/.exec(code))
  const hasCodes = codes.every((code) => code !== null)
  const answers: { question: string; answer: string }[] = []
  for (const code of hasCodes ? codes : []) {
    const question = questions[Number(code?.[1]) - 1]
    if (question === undefined) return null
    const label =
      code?.[2] === ' default'
        ? defaultLabel(question)
        : question.options.find(({ key }, at) => letterOf(key, at) === code?.[2])?.label
    if (label === undefined) return null
    answers.push({ question: question.text, answer: label })
  }
  const lines = hasCodes ? rest : [first, ...rest]
  const own = lines.map((line) => /^(\d{1,2}): (.+)$/.exec(line))
  const ownCount = own.findIndex((line) => line === null)
  const until = ownCount === -1 ? own.length : ownCount
  for (const line of own.slice(0, until)) {
    const question = questions[Number(line?.[1]) - 1]
    if (question === undefined) return null
    answers.push({ question: question.text, answer: line?.[2] ?? '' })
  }
  return answers.length === 0 ? null : { answers, more: lines.slice(until).join('\n').trim() }
}

function defaultLabel(question: ChatQuestion): string {
  const label = question.options.find(({ key }) => key === question.default)?.label
  return label === undefined ? 'you decide' : `${label} (left to the default)`
}
