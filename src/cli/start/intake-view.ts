/** What was understood, before anything is spent. */
import { formatDuration } from '../../lib/text/format-time.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Style } from '../terminal/terminal.ts'

type Estimate = IntakeAnswer['estimate']
type Range = Estimate['tasks']

export function intakeText(intake: IntakeAnswer, style: Style): string {
  const { title, type, scope, workflow, summary, form, questions, estimate, reasons } = intake
  const asks =
    questions.length === 0 ? ASKS[intake.next] : questions.map(({ text }) => terminalLine(text)).join(' ')
  const rows: readonly (readonly [string, string])[] = [
    ['type', form === 'sentence' ? type : `${type} (${FORMS[form]})`],
    ['scope', scope],
    ['workflow', `${workflow}: ${summary}`],
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

function estimateText({ tasks, workers, time_ms: time, tokens, basis }: Estimate): string {
  const parts = [
    `${count(tasks)} ${tasks.most === 1 ? 'task' : 'tasks'}`,
    `${count(workers)} ${workers.most === 1 ? 'agent' : 'agents'}`,
    `${formatDuration(time.least)} to ${formatDuration(time.most)}`,
    ...(tokens === null ? [] : [`${short(tokens.least)} to ${short(tokens.most)} tokens`]),
  ]
  return `${parts.join(', ')} (${basis === 'guess' ? 'a guess: too little history' : 'from what your agents took so far'})`
}

const count = ({ least, most }: Range): string => (least === most ? String(most) : `${least} to ${most}`)

const short = (tokens: number): string =>
  tokens >= 1_000_000 ? `${(tokens / 1_000_000).toFixed(1)} M` : `${Math.round(tokens / 1000)} k`
