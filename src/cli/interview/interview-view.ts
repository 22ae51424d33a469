/** How an interview looks at a terminal: its messages, the spec, the plan that came of it. */
import { counted } from '../../lib/text/counted.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { TaskRow } from '../../protocol/answers.ts'
import type { ConversationAnswer, PreviewAnswer } from '../../protocol/interview.ts'
import { atMost } from '../text.ts'
import type { Style } from '../terminal/terminal.ts'

type Message = ConversationAnswer['messages'][number]
type ChatQuestion = Message['questions'][number]

export const PREVIEW_MENU =
  '  1 Continue Interview\n  2 Submit for Development\nOr say what should change. v shows the spec again, q leaves it for later.'

/** Whether it is answered field by field: some question takes words of any length. */
export const hasFields = (questions: readonly ChatQuestion[]): boolean =>
  questions.some(({ options }) => options.length === 0)

/** `isAsked`: its fields are asked for one by one right below it. */
export function messageText(
  { from, text, questions }: Pick<Message, 'from' | 'text' | 'questions'>,
  { style, isAsked }: { readonly style: Style; readonly isAsked: boolean },
): string {
  if (from === 'architect') return `The architect sent it back:\n${terminalText(text)}\n\n`
  const shown = isAsked && hasFields(questions) ? [] : questions
  const asked = shown.flatMap((question, at) => [
    '',
    ...questionLines(question, questions.length === 1 ? null : at + 1, style),
  ])
  return `${[terminalText(text), ...asked].join('\n')}\n\n`
}

export const FIELDS_HINT =
  'Several lines are fine; an empty line goes on to the next field.\n- empties a field, e opens your editor, q leaves it for later.\n'

/** One field, with what stands in it. */
export const fieldText = (question: ChatQuestion, number: string, style: Style): string =>
  `\n${questionLines(question, number, style).join('\n')}\n`

/** A single question has numbered options; of several, the questions have numbers and the options letters. */
function questionLines(
  question: ChatQuestion,
  number: number | string | null,
  style: Style,
): readonly string[] {
  const title = `${number === null ? '' : `${number}${typeof number === 'string' ? '' : '.'} `}${terminalLine(question.text)}`
  const options = question.options.map(({ key, label, consequence }, at) => {
    const name = number === null || typeof number === 'string' ? String(at + 1) : letterOf(key, at)
    const mark = key === question.default ? style.green(' (default)') : ''
    const follows = consequence === '' ? '' : style.dim(` - ${terminalLine(consequence)}`)
    return `   ${name}) ${terminalLine(label)}${follows}${mark}`
  })
  const { default: now } = question
  const filled = options.length > 0 || now === null || now === '' ? [] : terminalText(now).split('\n')
  const free = options.length === 0 && now === '' ? style.dim(' (may stay empty)') : ''
  return [`${style.bold(title)}${free}`, ...options, ...filled.map((line) => style.dim(`   ${line}`))]
}

const letterOf = (key: string, at: number): string =>
  /^[a-h]$/.test(key) ? key : String.fromCodePoint(97 + at)

export function previewText(
  { user_spec_md, bootstrap_spec_md, spec_metadata, changes, warning }: PreviewAnswer,
  style: Style,
): string {
  const { title, requirements_count } = spec_metadata
  const setUp =
    bootstrap_spec_md === null
      ? []
      : ['', style.bold('Before it, the set-up of the project:'), '', ...indented(bootstrap_spec_md)]
  const warned = warning === undefined ? [] : ['', style.yellow(`Warning: ${terminalLine(warning)}`)]
  return `${[style.bold(`Spec: ${terminalLine(title)} (${counted(requirements_count, 'requirement')})`), '', ...indented(user_spec_md), ...setUp, ...changeLines(changes, style), ...warned].join('\n')}\n`
}

type Changes = NonNullable<PreviewAnswer['changes']>

/** What a spec of a plan that exists does to it, before anything is done. */
function changeLines(changes: Changes | undefined, style: Style): readonly string[] {
  if (changes === undefined) return []
  const { plan, requirements, tasks } = changes
  const { added, changed, removed, unchanged, fields } = requirements
  const rows = [
    ...added.map((id) => style.green(`+ ${terminalLine(id)}  new`)),
    ...changed.map((one) =>
      style.yellow(`~ ${terminalLine(one.id)}  changed: ${terminalLine(one.fields.join(', '))}`),
    ),
    ...removed.map((id) => style.red(`- ${terminalLine(id)}  removed`)),
    ...(fields.length === 0 ? [] : [style.yellow(`~ the spec itself: ${terminalLine(fields.join(', '))}`)]),
  ]
  const touched = tasks.map(
    (task) => `${terminalLine(task.id)} (${terminalLine(task.requirements.join(', '))})`,
  )
  return [
    '',
    style.bold(`Submitting it changes plan ${terminalLine(plan)}:`),
    ...(rows.length === 0 ? ['  nothing: the spec is the same'] : rows.map((row) => `  ${row}`)),
    ...(unchanged.length === 0 ? [] : [`  ${counted(unchanged.length, 'requirement')} unchanged`]),
    ...(touched.length === 0 ? [] : [`  Tasks that are replaced or removed: ${touched.join(', ')}`]),
  ]
}

const indented = (text: string): readonly string[] =>
  terminalText(text)
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))

const MOST_TASKS = 20

export function planText(
  plan: string,
  tasks: readonly Pick<TaskRow, 'id' | 'title'>[],
  { style, followsPlan }: { readonly style: Style; readonly followsPlan: boolean },
): string {
  const lines = tasks.map(({ id, title }) => `  ${terminalLine(id)}  ${terminalLine(title)}`)
  return [
    style.bold(`The spec became plan ${terminalLine(plan)}, ${counted(tasks.length, 'task')}:`),
    ...atMost(MOST_TASKS, lines, (left) => `  and ${left} more`),
    ...(followsPlan ? [] : [`Follow it with: bosun run ${terminalLine(plan)}`]),
    '',
  ].join('\n')
}
