/** What was understood, before anything is spent. */
import { counted } from '../../lib/text/counted.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Style } from '../terminal/terminal.ts'

type Estimate = IntakeAnswer['estimate']
type Range = Estimate['tasks']

export function intakeText(intake: IntakeAnswer, style: Style): string {
  const { title, type, scope, workflow, summary, form, questions, estimate, reasons } = intake
  const asks =
    questions.length === 0 ? asksOf(intake) : questions.map(({ text }) => terminalLine(text)).join(' ')
  const rows: readonly (readonly [string, string])[] = [
    ['type', form === 'sentence' ? type : `${type} (${FORMS[form]})`],
    ['scope', scope],
    // A plan and a spec enter where they belong, whatever the workflow of their size is.
    ['workflow', form === 'plan' || form === 'spec' ? summary : `${workflow}: ${summary}`],
    ['asks', asks],
    ['estimate', estimateText(estimate)],
  ]
  return [
    style.bold(terminalLine(title === '' ? '(no title)' : title)),
    ...rows.map(([name, value]) => `  ${name.padEnd(9)} ${value}`),
    ...reasons.map((reason) => style.dim(`  because   ${terminalLine(reason)}`)),
    '',
  ].join('\n')
}

const FORMS = {
  brief: 'a brief',
  issue: 'an issue',
  spec: 'a spec',
  plan: 'a plan',
  sentence: 'a sentence',
} as const

const ASKS = {
  run_plan: 'nothing',
  upload_spec: 'whether the spec is right',
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
