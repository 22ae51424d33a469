/** What was understood, as choices: each correction asks again, and nothing is spent before Start. */
import type { IntakeAnswer, IntakeRequest } from '../../../../src/protocol/intake.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { moveRadio } from '../../ui/tabs.tsx'
import { Questions } from './questions.tsx'
import { workToSend, type Overrides } from './request-draft.ts'
import { estimateWords } from '../../../../src/lib/text/format-forecast.ts'
import { Fact, FactLines } from '../../ui/list.tsx'

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
            value={intake.type === 'question' ? null : intake.type}
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
      {intake.answer !== null && <PlainText as="block" text={intake.answer} />}
      <Facts intake={intake} />
      {Object.keys(overrides).length > 0 && (
        <Button kind="quiet" size="sm" className="self-start" onClick={() => onCorrect({})}>
          Forget my corrections
        </Button>
      )}
      <Questions
        key={JSON.stringify(intake.questions)}
        // Type and scope are chosen above.
        questions={intake.questions.filter(({ id }) => id !== 'type' && id !== 'scope')}
        overrides={overrides}
        onCorrect={(change) =>
          correct(change.answers === undefined ? change : { ...change, understood: seenIn(intake) })
        }
      />
    </section>
  )
}

/** What the user answers to; null where no model judged it. */
const seenIn = ({ judged_by, title, work }: IntakeAnswer): Overrides['understood'] =>
  judged_by === null ? null : { title, ...workToSend(work) }

function ChoiceRow<K extends string>({
  label,
  items,
  value,
  isYours,
  onChoose,
}: {
  readonly label: string
  readonly items: readonly ChoiceItem<K>[]
  /** Null where nobody has said it. */
  readonly value: K | null
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
            tabIndex={key === (value ?? items[0]?.key) ? 0 : -1}
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
  const { estimate, work, judged_by, not_judged } = intake
  const files = [
    ...work.files.modify,
    ...[...work.files.create, ...work.tests_to_add.filter((path) => !work.files.modify.includes(path))].map(
      (path) => `${path} (new)`,
    ),
  ]
  return (
    <dl className="grid grid-cols-[80px_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
      <FactLines name="Done when" lines={work.criteria} />
      <FactLines name="Files" lines={[...new Set(files)]} />
      <FactLines name="Respects" lines={work.constraints} />
      <FactLines name="Leaves" lines={work.out_of_scope} />
      <Fact name="Steps">
        <PlainText text={intake.summary} />
      </Fact>
      {estimate !== null && <Estimate estimate={estimate} />}
      {(judged_by ?? not_judged) !== null && (
        <Fact name="Judged">
          <PlainText text={not_judged ?? `by ${judged_by}`} />
        </Fact>
      )}
      <FactLines
        name="Because"
        lines={intake.reasons.map((reason) => reason.replaceAll('_', ' '))}
        className="text-muted"
      />
    </dl>
  )
}

function Estimate({ estimate }: { readonly estimate: NonNullable<IntakeAnswer['estimate']> }) {
  const { known, basis } = estimateWords(estimate)
  return (
    <Fact name="Estimate">
      {known.join(' · ')} <span className="text-muted">({basis})</span>
    </Fact>
  )
}

/** What can be corrected about a request, in words. */
export interface ChoiceItem<K extends string> {
  readonly key: K
  readonly label: string
  readonly hint: string
}

export const TYPES: readonly ChoiceItem<NonNullable<IntakeRequest['type']>>[] = [
  { key: 'feature_request', label: 'Feature', hint: 'something to add or change' },
  { key: 'bug_fix', label: 'Bug fix', hint: 'something that is broken' },
  { key: 'new_project', label: 'New project', hint: 'a repository without sources' },
]

export const SCOPES: readonly ChoiceItem<NonNullable<IntakeRequest['scope']>>[] = [
  { key: 'trivial', label: 'Trivial', hint: 'one line' },
  { key: 'small', label: 'Small', hint: 'one file and its test' },
  { key: 'medium', label: 'Medium', hint: 'several files' },
  { key: 'large', label: 'Large', hint: 'the architecture' },
]

export const WORKFLOWS: readonly ChoiceItem<NonNullable<IntakeRequest['workflow']>>[] = [
  { key: 'fix', label: 'Fix', hint: 'a bug: one task, no interview' },
  { key: 'direct', label: 'Direct', hint: 'a small change: one task, no interview' },
  { key: 'light', label: 'Light', hint: 'a short interview, a few tasks' },
  { key: 'planned', label: 'Planned', hint: 'an interview and a design' },
  { key: 'project', label: 'Project', hint: 'an interview and the set-up' },
]

export const FORM_WORDS: Readonly<Record<IntakeAnswer['form'], string>> = {
  sentence: 'a sentence',
  brief: 'several lines',
  spec: 'a spec',
  plan: 'a plan',
}

/** What the button does, and what happens then. */
export const NEXT_WORDS: Readonly<
  Record<IntakeAnswer['next'], { readonly action: string; readonly follows: string }>
> = {
  run_plan: { action: 'Start the plan', follows: 'It is registered and runs at once.' },
  one_task: { action: 'Start', follows: 'It starts at once.' },
  upload_spec: {
    action: 'Preview the spec',
    follows: 'You see it checked and decide. Nothing runs before that.',
  },
  interview: {
    action: 'Begin the interview',
    follows: 'A few questions, then a spec that you approve. Nothing runs before that.',
  },
  answered: { action: 'Start', follows: 'It was taken as a question: nothing is built.' },
  ask: { action: 'Start', follows: 'It starts once you have said what is open.' },
}
