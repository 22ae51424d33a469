/** The conversation with the open question at its end, and the spec beside it. */
import { useEffect, useRef, memo, type ReactNode } from 'react'
import type { PmStatus } from '../../../../src/protocol/interview.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/states.tsx'
import { AnswerComposer, QuestionCards, useOpenQuestion } from './open-question.tsx'
import { isField, shownAnswers, type ChatMessage, type ChatQuestion } from './reply.ts'
import { isTalking, takesMessages, type Situation } from './situation.ts'
import { SpecAside } from './spec-view.tsx'
import { ShowMore, useSteps } from '../../ui/show-more.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'

export interface ChatProps {
  readonly repo: string
  readonly session: string
  readonly status: PmStatus
  readonly situation: Situation
  readonly messages: readonly ChatMessage[]
  readonly hasDraft: boolean
  readonly notice: ReactNode
  readonly onPreview: () => void
}

export function Chat({ repo, session, status, situation, messages, hasDraft, notice, onPreview }: ChatProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const isAsking = situation.kind === 'asks' && status.open_question !== null
  const asking = isAsking ? messages.findLast(({ from }) => from === 'pm') : undefined
  const position = asking?.position ?? 0
  // What is new begins at the top: a question is read from its first line.
  useEffect(() => {
    const frame = scroller.current
    const newest = frame?.querySelector<HTMLElement>(`[data-position="${newestPosition(messages)}"]`)
    if (frame === null || newest === null || newest === undefined) return
    // On a phone the page scrolls, else the conversation does.
    if (getComputedStyle(frame).overflowY === 'auto') frame.scrollTop = newest.offsetTop - frame.offsetTop
    else newest.scrollIntoView({ block: 'start' })
  }, [messages.length, position])
  const open = useOpenQuestion({ repo, session, position, questions: asking?.questions ?? NO_QUESTIONS })
  // What is asked in fields is sent from their form.
  const hasComposer =
    situation.kind === 'preview'
      ? open.text !== ''
      : takesMessages(situation) && !open.questions.some(isField)
  return (
    <div
      className={cx(
        'grid min-h-0 flex-1 gap-6',
        isTalking(situation) && 'lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]',
      )}
    >
      <div className="flex min-h-0 flex-col gap-3">
        <div
          ref={scroller}
          tabIndex={-1}
          className="flex min-h-0 flex-1 flex-col gap-5 lg:overflow-y-auto lg:pr-3"
        >
          {messages.length === 0 && situation.kind === 'asks' ? (
            <EmptyState title="What would you like to build, change or fix?" className="!py-8">
              One sentence is enough. The PM asks about what it leaves open.
            </EmptyState>
          ) : (
            messages.length > 0 && <Messages messages={messages} openPosition={position} />
          )}
          {situation.kind === 'thinks' && <Thinking />}
          {notice}
          {situation.kind === 'preview' && open.text === '' && (
            <div className="flex flex-wrap items-center gap-3 rounded-lg border p-4">
              <p className="flex-1">The draft waits for your decision.</p>
              <Button kind="primary" onClick={onPreview}>
                Show the preview
              </Button>
            </div>
          )}
          <div className="flex flex-col gap-3">
            <QuestionCards open={open} />
          </div>
        </div>
        {hasComposer && (
          <AnswerComposer
            open={open}
            onPreview={situation.kind === 'preview' ? onPreview : null}
            placeholder={
              situation.kind === 'asks' ? 'Your answer' : 'Add something; the PM reads it after its turn'
            }
          />
        )}
      </div>
      {isTalking(situation) && (
        <SpecAside repo={repo} at={`${status.messages} ${status.spec_sha ?? ''}`} hasDraft={hasDraft} />
      )}
    </div>
  )
}

const NO_QUESTIONS: readonly ChatQuestion[] = []

/** Of the last message of the PM, or of the user who waits for it. */
const newestPosition = (messages: readonly ChatMessage[]): number => messages.at(-1)?.position ?? 0

function Thinking() {
  return (
    <p role="status" className="flex items-center gap-2 text-muted">
      <span aria-hidden="true" className="inline-flex gap-1">
        {[0, 1, 2].map((at) => (
          <span
            key={at}
            style={{ animationDelay: `${at * 160}ms` }}
            className="size-1.5 animate-pulse rounded-full bg-current"
          />
        ))}
      </span>
      The PM is thinking
    </p>
  )
}

/** The messages. Answers stand with their questions, in the words of the options. */
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
