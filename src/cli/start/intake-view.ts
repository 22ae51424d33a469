/** What was understood, before anything is spent. */
import { counted } from '../../lib/text/counted.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Style } from '../terminal/terminal.ts'
import { estimateWords } from '../../lib/text/format-forecast.ts'

type Row = readonly [name: string, value: string]

export function intakeText(intake: IntakeAnswer, style: Style): string {
  const { title, reasons } = intake
  return [
    style.bold(terminalLine(title === '' ? '(no title)' : title)),
    ...rowsOf(intake).map(([name, value]) => `  ${name.padEnd(9)} ${terminalLine(value)}`),
    ...reasons.map((reason) => style.dim(`  because   ${terminalLine(reason)}`)),
    '',
  ].join('\n')
}

function rowsOf(intake: IntakeAnswer): readonly Row[] {
  const { type, scope, workflow, summary, form, questions, estimate, work, judged_by, not_judged } = intake
  const isTakenAsItIs = form === 'plan' || form === 'spec'
  // What may stay without an answer is asked at the terminal alone.
  const needed = questions.filter(({ by, default: usual }) => by !== 'lines' || usual === null)
  const asks = needed.length === 0 ? asksOf(intake) : needed.map(({ text }) => text).join(' ')
  const open = 'not known yet'
  const files = [
    ...work.files.modify,
    ...work.files.create.map((path) => `${path} (new)`),
    // A test that is added or extended: whether the file exists was not said.
    ...work.tests_to_add.filter((path) => !work.files.create.includes(path)),
  ]
  return [
    ...(isTakenAsItIs && type === null
      ? [row('form', FORMS[form])]
      : [row('type', form === 'sentence' ? (type ?? open) : `${type ?? open} (${FORMS[form]})`)]),
    ...(type === 'question'
      ? []
      : [row('scope', scope ?? (workflow === null ? open : 'does not matter here'))]),
    // A plan and a spec enter where they belong, whatever the workflow of their size is.
    row('workflow', isTakenAsItIs || workflow === null ? summary : `${workflow}: ${summary}`),
    ...named('done when', work.criteria),
    ...named(
      'files',
      [[...new Set(files)].join(', ')].filter((line) => line !== ''),
    ),
    ...named('respects', work.constraints),
    ...named('leaves', work.out_of_scope),
    row('asks', asks),
    ...(estimate === null ? [] : [row('estimate', estimateText(estimate))]),
    ...(judged_by === null ? [] : [row('judged', `by ${judged_by}`)]),
    ...(not_judged === null ? [] : [row('judged', not_judged)]),
  ]
}

const row = (name: string, value: string): Row => [name, value]

/** The name stands at the first line alone. */
const named = (name: string, lines: readonly string[]): readonly Row[] =>
  lines.map((line, at) => row(at === 0 ? name : '', line))

const FORMS = {
  brief: 'several lines',
  spec: 'a spec',
  plan: 'a plan',
  sentence: 'a sentence',
} as const

const ASKS = {
  run_plan: 'nothing',
  upload_spec: 'whether the spec is right',
  answered: 'nothing',
  one_task: 'nothing',
  interview: 'an interview',
  ask: 'what you mean',
} as const satisfies Record<IntakeAnswer['next'], string>

/** Of a plan, what its tasks wait for. */
const asksOf = ({ next, open_points: open = 0 }: IntakeAnswer): string =>
  open > 0 && (next === 'run_plan' || next === 'one_task')
    ? `${counted(open, 'open point')}, in the inbox`
    : ASKS[next]

function estimateText(estimate: NonNullable<IntakeAnswer['estimate']>): string {
  const { known, basis } = estimateWords(estimate)
  return `${known.join(', ')} (${basis})`
}
