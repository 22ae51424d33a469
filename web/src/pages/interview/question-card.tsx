/** One open question: its options with what follows from each, the default marked, and room for other words. */
import { Check, ArrowUp } from 'lucide-react'
import { cx } from '../../ui/cx.ts'
import { Input, Field, TEXT_CONTROL } from '../../ui/field.tsx'
import { Kbd, Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { moveRadio } from '../../ui/tabs.tsx'
import { fieldValue, isField, type ChatQuestion, type Choice } from './reply.ts'
import { useCanAct } from '../../live/live.ts'
import type { OpenQuestion } from './open-question.tsx'

export interface QuestionCardProps {
  readonly question: ChatQuestion
  /** From 1; null where it is the only one. */
  readonly number: number | null
  readonly choice: Choice | undefined
  /** The number keys choose for this one. */
  readonly isCurrent: boolean
  readonly onChoose: (choice: Choice | undefined) => void
  readonly onFocus: () => void
}

export function QuestionCard({ question, number, choice, isCurrent, onChoose, onFocus }: QuestionCardProps) {
  const chosen = choice?.kind === 'own' ? null : (choice?.key ?? question.default)
  const title = `question-${question.id}`
  return (
    <fieldset
      onFocus={onFocus}
      onPointerDown={onFocus}
      className={cx(
        'flex flex-col gap-2 rounded-md border p-3 transition-colors',
        isCurrent && 'border-line-strong',
      )}
    >
      <legend className="sr-only">{number === null ? 'Question' : `Question ${number}`}</legend>
      <p id={title} className="font-medium">
        {number !== null && <span className="mr-2 text-muted">{number}.</span>}
        <PlainText text={question.text} />
      </p>
      <div
        role="radiogroup"
        aria-labelledby={title}
        onKeyDown={moveRadio}
        className="-mx-2 flex flex-col gap-px"
      >
        {question.options.map(({ key, label, consequence }, at) => {
          const isChosen = chosen === key
          return (
            <button
              key={key}
              type="button"
              role="radio"
              aria-checked={isChosen}
              tabIndex={isChosen || (chosen === null && at === 0) ? 0 : -1}
              onClick={() => onChoose({ kind: 'option', key })}
              className={cx(
                'flex min-h-8 items-start gap-3 rounded-md border px-2 py-1.5 text-left transition-colors max-sm:min-h-11',
                isChosen ? 'border-accent bg-selected' : 'border-transparent hover:bg-hover',
              )}
            >
              <span className="mt-0.5 inline-flex w-4 shrink-0 justify-center">
                {isChosen ? (
                  <Check size={14} className="text-accent" aria-hidden="true" />
                ) : (
                  isCurrent && <Kbd>{at + 1}</Kbd>
                )}
              </span>
              <span className="grid min-w-0 flex-1 gap-x-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
                <span>
                  <PlainText text={label} />
                  {key === question.default && (
                    <span className="text-xs whitespace-nowrap text-muted"> · default</span>
                  )}
                </span>
                {consequence !== '' && (
                  <span className="text-xs leading-5 text-muted">
                    <PlainText text={consequence} />
                  </span>
                )}
              </span>
            </button>
          )
        })}
      </div>
      <Input
        aria-label={`Other words for: ${question.text}`}
        placeholder="Or in your own words"
        value={choice?.kind === 'own' ? choice.text : ''}
        onChange={({ target: { value } }) =>
          onChoose(value === '' ? undefined : { kind: 'own', text: value })
        }
        maxLength={400}
        className="h-7"
      />
    </fieldset>
  )
}

/** Without words of their own, a field that may stay empty is lower. */
const LOW = 'min-h-9!'

export function FieldsCard({ open }: { readonly open: OpenQuestion }) {
  const fields = open.questions.filter(isField)
  const canAct = useCanAct()
  const send = (): void => {
    if (open.isReady && canAct && !open.isSending) open.onSend()
  }
  return (
    <form
      aria-label="Fields to fill in"
      className="flex flex-col gap-4 rounded-md border p-4"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
      }}
    >
      {fields.map((question) => (
        <FieldOf key={question.id} question={question} open={open} />
      ))}
      <div className="flex justify-end">
        <Button
          type="submit"
          kind="primary"
          disabled={!open.isReady || !canAct}
          isBusy={open.isSending}
          shortcut="Ctrl ↵"
        >
          <ArrowUp size={14} aria-hidden="true" />
          Send
        </Button>
      </div>
    </form>
  )
}

function FieldOf({ question, open }: { readonly question: ChatQuestion; readonly open: OpenQuestion }) {
  const isNeeded = question.default === null
  return (
    <Field label={isNeeded ? `${question.text} (needed)` : question.text}>
      <textarea
        value={fieldValue(question, open.choices[question.id])}
        onChange={({ target: { value } }) => open.onChoose(question.id, { kind: 'own', text: value })}
        rows={isNeeded ? 3 : 1}
        required={isNeeded}
        className={cx(TEXT_CONTROL, !isNeeded && LOW)}
      />
    </Field>
  )
}
