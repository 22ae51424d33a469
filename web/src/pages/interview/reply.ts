/** What a user chose and filled in for the open questions, as it is sent, and read back for the conversation. */
import type { ConversationAnswer } from '../../../../src/protocol/interview.ts'

export type ChatMessage = ConversationAnswer['messages'][number]
export type ChatQuestion = ChatMessage['questions'][number]

/** An option's key, or words of the user's own; a question without one is left to its default. */
export type Choice =
  | { readonly kind: 'option'; readonly key: string }
  | { readonly kind: 'own'; readonly text: string }
export type Choices = Readonly<Record<string, Choice | undefined>>

/** A field takes words; a question with options is a choice. */
export const isField = ({ options }: ChatQuestion): boolean => options.length === 0

/** What stands in a field: what was typed, else its default. */
export const fieldValue = (question: ChatQuestion, choice: Choice | undefined): string =>
  choice?.kind === 'own' ? choice.text : (question.default ?? '')

/** Questions that have neither an answer nor a default. */
export const unanswered = (questions: readonly ChatQuestion[], choices: Choices): readonly ChatQuestion[] =>
  questions.filter(
    (question) => question.default === null && (answerTo(question, choices[question.id]) ?? '') === '',
  )

/** By the ids of the questions; a field that was not touched is left out. */
export function answersOf(
  questions: readonly ChatQuestion[],
  choices: Choices,
): Readonly<Record<string, string>> {
  const given = questions.flatMap((question) => {
    const answer = answerTo(question, choices[question.id])
    return answer === null ? [] : [[question.id, answer] as const]
  })
  return Object.fromEntries(given)
}

function answerTo(question: ChatQuestion, choice: Choice | undefined): string | null {
  if (choice?.kind === 'own' && (isField(question) || choice.text.trim() !== '')) return choice.text.trim()
  if (choice?.kind === 'option') return choice.key
  return isField(question) ? null : question.default
}

export interface ShownAnswer {
  readonly question: string
  readonly answer: string
}

/** What a message answers, in the words of the questions and of their options. */
export const shownAnswers = (
  answers: ChatMessage['answers'],
  asked: readonly ChatQuestion[],
): readonly ShownAnswer[] =>
  Object.entries(answers).map(([id, answer]) => {
    const question = asked.find((one) => one.id === id)
    const label = question?.options.find(({ key }) => key === answer)?.label
    return { question: question?.text ?? id, answer: label ?? (answer === '' ? '(empty)' : answer) }
  })
