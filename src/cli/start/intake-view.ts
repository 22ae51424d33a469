/** What was understood, before anything is spent. */
import { counted } from '../../lib/text/counted.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Style } from '../terminal/terminal.ts'

type Estimate = NonNullable<IntakeAnswer['estimate']>
type Range = Estimate['tasks']
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

function estimateText({ tasks, workers, time_ms: time, tokens, basis }: Estimate): string {
  const known = [
    `${count(workers)} ${workers.most === 1 ? 'agent' : 'agents'}`,
    ...(tokens === null ? [] : [`${short(tokens.least)} to ${short(tokens.most)} tokens`]),
  ]
  const parts = [
    `${count(tasks)} ${tasks.most === 1 ? 'task' : 'tasks'}`,
    roughTime(time),
    ...(basis === 'guess' ? [] : known),
  ]
  return `${parts.join(', ')} (${basis === 'guess' ? 'a guess by scope' : 'from what your agents took so far'})`
}

/** In words that promise no more than is known: `about 15 minutes`, `20 minutes to 1.5 hours`. */
export function roughTime({ least, most }: Range): string {
  const [from, to] = [roughly(least), roughly(most)]
  if (from.text === to.text) return from.ms === 0 ? from.text : `about ${from.text}`
  if (from.ms === 0) return `up to ${to.text}`
  return from.unit === to.unit ? `${from.number} to ${to.text}` : `${from.text} to ${to.text}`
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

function roughly(ms: number) {
  if (ms < MINUTE) return { ms: 0, number: '', unit: '', text: 'less than a minute' }
  const isLong = ms >= 1.5 * HOUR
  const step = isLong ? HOUR / 2 : ms >= 10 * MINUTE ? 5 * MINUTE : MINUTE
  const rounded = Math.round(ms / step) * step
  const number = String(rounded / (isLong ? HOUR : MINUTE))
  const unit = isLong ? 'hours' : 'minutes'
  return { ms: rounded, number, unit, text: number === '1' ? '1 minute' : `${number} ${unit}` }
}

const count = ({ least, most }: Range): string => (least === most ? String(most) : `${least} to ${most}`)

const short = (tokens: number): string =>
  tokens >= 1_000_000 ? `${(tokens / 1_000_000).toFixed(1)} M` : `${Math.round(tokens / 1000)} k`
