/** A model that fails while an interview goes on: the person decides whether it is asked again or the form takes its place. */
import { readReply } from './read-reply.ts'
import type { ChatMessage, ToolCall } from './turn.ts'

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
  const [asked, ...after] = at === -1 ? [] : conversation.slice(at)
  const reply = after.find(({ from }) => from === 'user')
  return (
    asked !== undefined &&
    reply !== undefined &&
    readReply(reply, asked.questions).answers[BRAIN_FAILED] === 'b'
  )
}

/** What a model is shown: neither that it failed, nor the answer to that. */
export function withoutFailures(conversation: readonly ChatMessage[]): readonly ChatMessage[] {
  return conversation.filter((message, at) => {
    const before = conversation[at - 1]
    if (isFailure(message)) return false
    const isChoice = before !== undefined && isFailure(before) && message.from === 'user'
    return !isChoice || !['a', 'b'].includes(readReply(message, before.questions).answers[BRAIN_FAILED] ?? '')
  })
}
