/** What is asked before it starts: by an option, or in words of one's own. */
import { useState } from 'react'
import type { IntakeAnswer } from '../../../../src/protocol/intake.ts'
import { Button, Kbd } from '../../ui/button.tsx'
import { Field, Input, TEXT_CONTROL } from '../../ui/field.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import type { Overrides } from './request-draft.ts'

type Question = IntakeAnswer['questions'][number]

export function Questions({
  questions,
  overrides,
  onCorrect,
}: {
  readonly questions: readonly Question[]
  readonly overrides: Overrides
  readonly onCorrect: (change: Overrides) => void
}) {
  const [said, setSaid] = useState<Readonly<Record<string, string>>>({})
  if (questions.length === 0) return null
  const asked = questions.filter(({ by }) => by === 'option_or_words')
  const answers = asked.map((question) => ({ question: question.text, answer: answerOf(question, said) }))
  const isAnswered = answers.every(({ answer }) => answer !== '')
  const send = (): void =>
    onCorrect({ answers: [...(overrides.answers ?? []), ...answers], round: (overrides.round ?? 0) + 1 })
  return (
    <div className="flex flex-col gap-4 border-t pt-4">
      <h3 className="text-sm font-semibold">Before it starts</h3>
      {questions.map((question) => (
        <div key={question.id} className="flex flex-col gap-2">
          {question.id === 'criteria' ? (
            <Criteria question={question} onCorrect={onCorrect} />
          ) : (
            <>
              <PlainText text={question.text} />
              <Options
                question={question}
                chosen={said[question.id]}
                onChoose={({ key, label }) =>
                  question.by === 'option'
                    ? onCorrect({ [question.id]: key })
                    : setSaid({ ...said, [question.id]: label })
                }
              />
              {question.by === 'option_or_words' && (
                <Field label="Or in your words">
                  <Input
                    value={said[question.id] ?? ''}
                    onChange={(event) => setSaid({ ...said, [question.id]: event.target.value })}
                  />
                </Field>
              )}
            </>
          )}
        </div>
      ))}
      {asked.length > 0 && (
        <Button className="self-start" disabled={!isAnswered} onClick={send}>
          Answer
        </Button>
      )}
    </div>
  )
}

/** What was chosen or written, else the default. */
function answerOf({ id, options, default: usual }: Question, said: Readonly<Record<string, string>>): string {
  const own = said[id]?.trim() ?? ''
  return own === '' ? (options.find(({ key }) => key === usual)?.label ?? '') : own
}

function Options({
  question,
  chosen,
  onChoose,
}: {
  readonly question: Question
  readonly chosen: string | undefined
  readonly onChoose: (option: Question['options'][number]) => void
}) {
  const { options, default: standard } = question
  if (options.length === 0) return null
  return (
    <div className="flex flex-col gap-1.5">
      {options.map((option, at) => (
        <button
          key={option.key}
          type="button"
          aria-pressed={chosen === option.label}
          onClick={() => onChoose(option)}
          className="flex items-start gap-3 rounded-md border px-3 py-2 text-left transition-colors hover:bg-hover aria-pressed:border-accent aria-pressed:bg-selected"
        >
          <Kbd>{at + 1}</Kbd>
          <span>
            <span className="font-medium">
              <PlainText text={option.label} />
            </span>
            {option.key === standard && <span className="text-muted"> · default</span>}
            {option.consequence !== '' && (
              <span className="block text-xs text-muted">
                <PlainText text={option.consequence} />
              </span>
            )}
          </span>
        </button>
      ))}
    </div>
  )
}

function Criteria({
  question,
  onCorrect,
}: {
  readonly question: Question
  readonly onCorrect: (change: Overrides) => void
}) {
  const [text, setText] = useState('')
  const criteria = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return (
    <>
      <Field label={question.text}>
        <textarea
          value={text}
          rows={3}
          onChange={(event) => setText(event.target.value)}
          className={TEXT_CONTROL}
        />
      </Field>
      <Button
        className="self-start"
        disabled={criteria.length === 0 && question.default !== null}
        onClick={() => onCorrect({ criteria: criteria.slice(0, 20) })}
      >
        {criteria.length === 0 && question.default === null ? 'Take what it says' : 'Take these criteria'}
      </Button>
    </>
  )
}
