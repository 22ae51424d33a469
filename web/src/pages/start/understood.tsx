/** What was understood, as choices: each correction asks again, and nothing is spent before Start. */
import type { ReactNode } from 'react'
import type { IntakeAnswer } from '../../../../src/protocol/intake.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { moveRadio } from '../../ui/tabs.tsx'
import { FORM_WORDS, SCOPES, TYPES, WORKFLOWS, type ChoiceItem } from './choices.ts'
import { estimateWords } from './estimate-text.ts'
import type { Overrides } from './request-draft.ts'

export interface UnderstoodProps {
  readonly intake: IntakeAnswer
  readonly overrides: Overrides
  /** A correction is being understood. */
  readonly isBusy: boolean
  readonly onCorrect: (overrides: Overrides) => void
}

export function Understood({ intake, overrides, isBusy, onCorrect }: UnderstoodProps) {
  const isFixed = intake.form === 'plan' || intake.form === 'spec'
  const correct = (change: Overrides): void => onCorrect({ ...overrides, ...change })
  return (
    <section
      aria-labelledby="understood"
      aria-busy={isBusy}
      className="flex flex-col gap-4 rounded-lg border p-4"
    >
      <div className="flex flex-col gap-1">
        <h2 id="understood" className="text-xs font-medium text-muted">
          Understood from {FORM_WORDS[intake.form]}
        </h2>
        <p className="text-lg font-medium">
          <PlainText text={intake.title} />
        </p>
      </div>
      {!isFixed && (
        <div className={cx('flex flex-col gap-3 transition-opacity', isBusy && 'opacity-60')}>
          <ChoiceRow
            label="Type"
            items={TYPES}
            value={intake.type}
            isYours={overrides.type !== undefined}
            onChoose={(type) => correct({ type })}
          />
          <ChoiceRow
            label="Scope"
            items={SCOPES}
            value={intake.scope}
            isYours={overrides.scope !== undefined}
            onChoose={(scope) => correct({ scope })}
          />
          <ChoiceRow
            label="Workflow"
            items={WORKFLOWS}
            value={intake.workflow}
            isYours={overrides.workflow !== undefined}
            onChoose={(workflow) => correct({ workflow })}
          />
        </div>
      )}
      <Facts intake={intake} />
      {Object.keys(overrides).length > 0 && (
        <Button kind="quiet" size="sm" className="self-start" onClick={() => onCorrect({})}>
          Forget my corrections
        </Button>
      )}
      <Questions intake={intake} onCorrect={correct} />
    </section>
  )
}

function ChoiceRow<K extends string>({
  label,
  items,
  value,
  isYours,
  onChoose,
}: {
  readonly label: string
  readonly items: readonly ChoiceItem<K>[]
  readonly value: K
  readonly isYours: boolean
  readonly onChoose: (key: K) => void
}) {
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-1">
      <span className="w-20 pt-1.5 text-xs text-muted">
        {label}
        {isYours && <span className="block text-accent">yours</span>}
      </span>
      <div
        role="radiogroup"
        aria-label={label}
        onKeyDown={moveRadio}
        className="flex min-w-0 flex-1 flex-wrap gap-1.5"
      >
        {items.map(({ key, label: name, hint }) => (
          <button
            key={key}
            type="button"
            role="radio"
            aria-checked={key === value}
            tabIndex={key === value ? 0 : -1}
            onClick={() => onChoose(key)}
            className="flex min-h-11 flex-col items-start justify-center rounded-md border px-2.5 py-1 text-left transition-colors hover:bg-hover aria-checked:border-accent aria-checked:bg-selected"
          >
            <span className="text-sm font-medium">{name}</span>
            <span className="text-xs text-muted">{hint}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

function Facts({ intake }: { readonly intake: IntakeAnswer }) {
  const { tasks, time, workers, tokens, basis } = estimateWords(intake.estimate)
  const known = [tasks, time, workers, tokens].filter((part) => part !== null)
  return (
    <dl className="grid grid-cols-[80px_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
      <Fact name="Steps">
        <PlainText text={intake.summary} />
      </Fact>
      <Fact name="Estimate">
        {known.join(' · ')} <span className="text-muted">({basis})</span>
      </Fact>
      <Fact name="Because">
        <ul className="flex flex-col gap-0.5 text-muted">
          {intake.reasons.map((reason) => (
            <li key={reason}>
              <PlainText text={reason.replaceAll('_', ' ')} />
            </li>
          ))}
        </ul>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-xs leading-5 text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

/** What it would ask. A choice of type or scope answers it here. */
function Questions({
  intake,
  onCorrect,
}: {
  readonly intake: IntakeAnswer
  readonly onCorrect: (change: Overrides) => void
}) {
  if (intake.questions.length === 0) return null
  return (
    <div className="flex flex-col gap-3 border-t pt-4">
      <h3 className="text-sm font-semibold">Before it starts</h3>
      {intake.questions.map(({ id, text, options, default: standard }) => (
        <div key={id} className="flex flex-col gap-2">
          <PlainText text={text} />
          {options.length > 0 && (
            <div className="flex flex-col gap-1.5">
              {options.map(({ key, label, consequence }, at) => (
                <button
                  key={key}
                  type="button"
                  onClick={() => onCorrect({ [id]: key })}
                  className="flex items-start gap-3 rounded-md border px-3 py-2 text-left transition-colors hover:bg-hover"
                >
                  <Kbd>{at + 1}</Kbd>
                  <span>
                    <span className="font-medium">
                      <PlainText text={label} />
                    </span>
                    {key === standard && <span className="text-muted"> · default</span>}
                    <span className="block text-xs text-muted">
                      <PlainText text={consequence} />
                    </span>
                  </span>
                </button>
              ))}
            </div>
          )}
        </div>
      ))}
    </div>
  )
}
