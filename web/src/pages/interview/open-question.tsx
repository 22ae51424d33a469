/** What the PM asks now, and the box to answer it. Everything typed is kept until it is sent. */
import { ArrowUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useCanAct } from '../../live/live.ts'
import { useKeys } from '../../shell/commands/keys.ts'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { notifyFailed } from '../../ui/toast.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { Composer } from './composer.tsx'
import { FieldsCard, QuestionCard } from './question-card.tsx'
import { answersOf, isField, unanswered, type ChatQuestion, type Choice, type Choices } from './reply.ts'
import { useChoices } from './use-choices.ts'
import { useInterviewChange } from './use-interview-page.ts'

export interface OpenQuestion {
  readonly questions: readonly ChatQuestion[]
  readonly choices: Choices
  readonly onChoose: (id: string, choice: Choice | undefined) => void
  /** The question that the number keys choose for. */
  readonly current: number
  readonly onCurrent: (at: number) => void
  readonly text: string
  readonly onText: (text: string) => void
  /** Whether what is there can be sent: nothing that is needed lacks. */
  readonly isReady: boolean
  readonly isSending: boolean
  /** Sends what was chosen and typed, or these words alone. */
  readonly onSend: (words?: string) => void
}

/** Choices and words for what is asked at a position of the conversation; 0 while nothing is asked. */
export function useOpenQuestion(asked: {
  readonly repo: string
  readonly session: string
  readonly position: number
  readonly questions: readonly ChatQuestion[]
}): OpenQuestion {
  const { repo, session, position, questions } = asked
  const [choices, setChoices] = useChoices(`interview:${repo}:${session}:${position}`)
  const [text, onText] = useDraft(composerDraft(repo, session))
  const [focus, setFocus] = useState({ position, at: 0 })
  const current = focus.position === position ? focus.at : 0
  const onCurrent = (at: number): void => setFocus({ position, at })
  // The same message again, after a lost answer, counts once.
  const key = useRef<string | null>(null)
  const send = useInterviewChange('POST /api/pm/chat', repo, () => {
    key.current = null
    onText('')
    setChoices({})
  })
  const hasText = text.trim() !== ''
  const isReady = questions.length === 0 ? hasText : unanswered(questions, choices).length === 0 || hasText
  const onSend = (words?: string): void => {
    key.current ??= crypto.randomUUID()
    const said =
      words === undefined
        ? { message: text.trim(), answers: answersOf(questions, choices) }
        : { message: words }
    send.mutate(
      { session_id: session, ...said, key: key.current },
      {
        onError: (error) => notifyFailed('Your answer was not sent. It is kept here.', error),
      },
    )
  }
  const onChoose = (id: string, choice: Choice | undefined): void => setChoices({ ...choices, [id]: choice })
  useNumberKeys(questions, current, (question, at) => {
    const option = question.options[at]
    if (option === undefined) return
    onChoose(question.id, { kind: 'option', key: option.key })
    onCurrent(Math.min(current + 1, questions.length - 1))
  })
  return {
    questions,
    choices,
    onChoose,
    current,
    onCurrent,
    text,
    onText,
    isReady,
    isSending: send.isPending,
    onSend,
  }
}

export function QuestionCards({ open }: { readonly open: OpenQuestion }) {
  const { questions, choices, current } = open
  const cards = questions.map((question, at) =>
    isField(question) ? null : (
      <QuestionCard
        key={question.id}
        question={question}
        number={questions.length === 1 ? null : at + 1}
        choice={choices[question.id]}
        isCurrent={at === current}
        onFocus={() => open.onCurrent(at)}
        onChoose={(choice) => open.onChoose(question.id, choice)}
      />
    ),
  )
  return (
    <>
      {cards}
      {questions.some(isField) && <FieldsCard open={open} />}
    </>
  )
}

export function AnswerComposer({
  open,
  placeholder,
  onPreview,
}: {
  readonly open: OpenQuestion
  readonly placeholder: string
  /** Set where a draft waits for a decision: what is half typed goes on there. */
  readonly onPreview: (() => void) | null
}) {
  const { questions, choices, text, isReady, isSending, onSend } = open
  const canAct = useCanAct()
  const submit = (): void => {
    if (onPreview !== null) onPreview()
    else if (isReady && canAct && !isSending) onSend()
  }
  const hasQuestions = questions.length > 0
  return (
    <Composer
      text={text}
      onText={open.onText}
      placeholder={hasQuestions ? 'Anything else? A further wish, or a question back' : placeholder}
      onSubmit={submit}
    >
      {hasQuestions && text.trim() === '' && (
        <Button kind="quiet" disabled={!canAct || isSending} onClick={() => onSend("that's all")}>
          That’s all, show the draft
        </Button>
      )}
      {onPreview === null ? (
        <Button
          kind="primary"
          disabled={!isReady || !canAct}
          isBusy={isSending}
          onClick={submit}
          shortcut="Ctrl ↵"
        >
          <ArrowUp size={14} aria-hidden="true" />
          {sendLabel(questions, choices, text)}
        </Button>
      ) : (
        <Button kind="primary" onClick={submit} shortcut="Ctrl ↵">
          Go on in the preview
        </Button>
      )}
    </Composer>
  )
}

export const composerDraft = (repo: string, session: string): string => `interview:${repo}:${session}`

function sendLabel(questions: readonly ChatQuestion[], choices: Choices, text: string): string {
  if (questions.length === 0) return 'Send'
  const isUntouched = questions.every(({ id }) => choices[id] === undefined)
  if (isUntouched && text.trim() === '')
    return questions.length === 1 ? 'Take the default' : 'Take the defaults'
  return questions.length === 1 ? 'Send answer' : 'Send answers'
}

/** 1 to 9 choose an option of the current question; they send nothing. */
function useNumberKeys(
  questions: readonly ChatQuestion[],
  current: number,
  onChoose: (question: ChatQuestion, at: number) => void,
): void {
  const question = questions[current]
  useKeys(
    'This question',
    question === undefined
      ? []
      : question.options.slice(0, 9).map(({ label }, at) => ({
          keys: String(at + 1),
          label: `Choose “${visibleText(label)}”`,
          run: () => onChoose(question, at),
        })),
  )
}
