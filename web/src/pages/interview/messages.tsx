/** The messages. Answers that were chosen show the words of the option, not its letter. */
import { memo } from 'react'
import { ShowMore } from '../../ui/long-lists/show-more.tsx'
import { useSteps } from '../../ui/long-lists/use-steps.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'
import { readReply, spokenText, type ChatMessage, type ChatQuestion } from './reply.ts'

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
  const reply = isUser ? readReply(message.text, asked) : null
  return (
    <article className={isUser ? 'ml-8 flex flex-col items-end gap-1' : 'flex flex-col gap-1'}>
      <header className="flex items-center gap-2 text-xs text-muted">
        <span className="font-medium text-text">{isUser ? 'You' : 'PM'}</span>
        <Time at={message.at} />
      </header>
      <div className={isUser ? 'max-w-full rounded-lg bg-sub px-3 py-2' : ''}>
        {reply === null ? (
          <PlainText as="block" text={isUser ? message.text : spokenText(message)} />
        ) : (
          <dl className="flex flex-col gap-1.5">
            {reply.answers.map(({ question, answer }) => (
              <div key={question}>
                <dt className="text-xs text-muted">
                  <PlainText text={question} />
                </dt>
                <dd>
                  <PlainText text={answer} />
                </dd>
              </div>
            ))}
            {reply.more !== '' && (
              <div>
                <dt className="sr-only">Also</dt>
                <dd>
                  <PlainText as="block" text={reply.more} />
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
