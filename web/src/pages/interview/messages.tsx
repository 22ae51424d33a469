/** The messages. Answers stand with their questions, in the words of the options. */
import { memo } from 'react'
import { ShowMore } from '../../ui/long-lists/show-more.tsx'
import { useSteps } from '../../ui/long-lists/use-steps.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'
import { shownAnswers, type ChatMessage, type ChatQuestion } from './reply.ts'

export function Messages({
  messages,
  openPosition,
}: {
  readonly messages: readonly ChatMessage[]
  /** The message whose questions are answered below; 0 for none. */
  readonly openPosition: number
}) {
  const steps = useSteps(messages.length, SHOWN)
  const first = messages.length - steps.shown
  return (
    <>
      <ShowMore
        steps={steps}
        total={messages.length}
        what="messages"
        which="earlier"
        className="justify-center"
      />
      <ol aria-label="Conversation" className="flex flex-col gap-5">
        {messages.slice(first).map((message, nth) => (
          <li key={message.position} data-position={message.position} className="scroll-mt-16 lg:scroll-mt-1">
            <Message
              message={message}
              asked={askedBefore(messages, first + nth)}
              isOpen={message.position === openPosition}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

const AUTHOR = { user: 'You', pm: 'PM', architect: 'The architect sent it back' } as const

/** The newest ones; earlier ones are drawn by as many. */
const SHOWN = 30

function askedBefore(messages: readonly ChatMessage[], at: number): readonly ChatQuestion[] {
  for (let before = at - 1; before >= 0; before--) {
    const message = messages[before]
    if (message?.from === 'pm') return message.questions
  }
  return []
}

const Message = memo(function Message({
  message,
  asked,
  isOpen,
}: {
  readonly message: ChatMessage
  readonly asked: readonly ChatQuestion[]
  readonly isOpen: boolean
}) {
  const isUser = message.from === 'user'
  const answers = shownAnswers(message.answers, asked)
  return (
    <article className={isUser ? 'ml-8 flex flex-col items-end gap-1' : 'flex flex-col gap-1'}>
      <header className="flex items-center gap-2 text-xs text-muted">
        <span className="font-medium text-text">{AUTHOR[message.from]}</span>
        <Time at={message.at} />
      </header>
      <div className={isUser ? 'max-w-full rounded-lg bg-sub px-3 py-2' : ''}>
        {answers.length === 0 ? (
          <PlainText as="block" text={message.text} />
        ) : (
          <dl className="flex flex-col gap-1.5">
            {answers.map(({ question, answer }) => (
              <div key={question}>
                <dt className="text-xs text-muted">
                  <PlainText text={question} />
                </dt>
                <dd>
                  <PlainText as="block" text={answer} />
                </dd>
              </div>
            ))}
            {message.text !== '' && (
              <div>
                <dt className="sr-only">Also</dt>
                <dd>
                  <PlainText as="block" text={message.text} />
                </dd>
              </div>
            )}
          </dl>
        )}
        {!isUser && !isOpen && message.questions.length > 0 && (
          <ol className="mt-2 flex list-decimal flex-col gap-0.5 pl-5 text-muted">
            {message.questions.map(({ id, text }) => (
              <li key={id}>
                <PlainText text={text} />
              </li>
            ))}
          </ol>
        )}
      </div>
    </article>
  )
})
