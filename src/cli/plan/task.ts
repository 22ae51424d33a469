/** `bosun task show`: one task, for people. */
import { actionOf, resultOf, type Call, type CommandResult } from '../command.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { TaskAnswer } from '../../protocol/task-answer.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import type { Style } from '../terminal/terminal.ts'
import { moment, blockText, section } from '../text.ts'
import { usageText } from '../../lib/text/format-usage.ts'
import { repoHere } from '../caller.ts'
import { readAnswer } from '../reading.ts'

export async function showTask(call: Call): Promise<CommandResult> {
  const [, name = ''] = call.args
  const show = actionOf(call, { show: taskText }, 'Use: bosun task show ID')
  const slash = name.indexOf('/')
  const plan = slash === -1 ? undefined : name.slice(0, slash)
  const asked = { id: name.slice(slash + 1), plan, repo: await repoHere(call) }
  const { answer, document } = await readAnswer(call, '/api/tasks/{id}', asked)
  return resultOf(document, (style) => show(answer, style))
}

export function taskText(task: TaskAnswer, style: Style): string {
  const head = `${style.bold(`${task.plan}/${task.id}`)}  ${terminalLine(task.title)}`
  const stage = task.stage.replaceAll('_', ' ')
  const state = `  ${task.status.replaceAll('_', ' ')}${stage === task.status ? '' : ` (${stage})`}, ${task.tier}, attempt ${task.attempt}`
  return blockText([
    [head, state],
    section(style, 'contract', contractLines(task)),
    section(style, 'attempts', task.attempts.map(attemptLine)),
    section(style, gatesTitle(task), allGateLines(task.gates)),
    section(style, 'reviews', task.reviews.flatMap(reviewLines)),
    section(
      style,
      'decisions',
      task.decisions.map(({ at, text }) => `${moment(at)}  ${terminalLine(text)}`),
    ),
    section(style, 'record', recordLines(task)),
  ])
}

function contractLines({ contract }: TaskAnswer): readonly string[] {
  const { files } = contract
  const listed = (name: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`${name}: ${items.map(terminalLine).join(', ')}`]
  const description = contract.description.split('\n').filter((line) => line.trim() !== '')
  return [
    ...description.map(terminalLine),
    ...contract.acceptance_criteria.map((criterion) => `- ${terminalLine(criterion)}`),
    ...listed('requirements', contract.requirements),
    ...listed('needs', contract.depends_on),
    ...listed('creates', files.create),
    ...listed('modifies', files.modify),
    ...listed('deletes', files.delete),
    ...listed('tests to add', contract.tests_to_add),
    ...listed('tests to run', contract.tests_to_run),
    ...listed('non-goals', contract.non_goals),
    ...listed('gates', contract.gates),
    ...listed('inferred', contract.inferred),
    ...(contract.held_out === 0 ? [] : [`held-out checks: ${contract.held_out}`]),
    `area: ${terminalLine(contract.ownership)}; time limit: ${formatDuration(contract.time_budget_ms)}`,
  ]
}

function attemptLine(attempt: TaskAnswer['attempts'][number]): string {
  const { worker, role, sent, ended, end, agent, why, model, usage } = attempt
  const took = ended === null ? '' : ` after ${formatDuration(Date.parse(ended) - Date.parse(sent))}`
  const how = end === null ? 'running' : `${end.replaceAll('_', ' ')}${took}`
  const by = agent === null ? '' : ` by ${agent}${model === null ? '' : ` (${model})`}`
  const used = usage === null ? '' : `; ${usageText(usage)}`
  return terminalLine(`${moment(sent)}  ${worker}  ${role}${by}: ${how} (${why})${used}`)
}

/** While a task is reworked, its gates are of an earlier attempt. */
const gatesTitle = ({ gated_attempt: gated, attempt }: TaskAnswer): string =>
  gated !== null && gated !== attempt ? `gates (attempt ${gated})` : 'gates'

type GateRow = TaskAnswer['gates'][number]

/** What several gates found alike is shown once, and so is what a summary says already. */
function allGateLines(gates: readonly GateRow[]): readonly string[] {
  const shown = new Set<string>()
  return gates.flatMap(({ gate, outcome, summary, findings }) => {
    const unsaid = findings.filter(({ text, file }) => file !== null || !summary.includes(text))
    const fresh = unsaid.map(findingLine).filter((line) => !shown.has(line))
    for (const line of fresh) shown.add(line)
    return [terminalLine(`${gate}  ${outcome.replaceAll('_', ' ')}: ${summary}`), ...fresh]
  })
}

function findingLine({ text, file, line }: GateRow['findings'][number]): string {
  const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `
  return terminalLine(`  ${place}${text}`)
}

const reviewLines = ({
  round,
  by,
  verdict,
  summary,
  issues,
}: TaskAnswer['reviews'][number]): readonly string[] => [
  terminalLine(`round ${round} by ${by}: ${verdict.replaceAll('_', ' ')}; ${summary}`),
  ...issues.map(({ severity, location, description }) =>
    terminalLine(`  ${severity}, ${location}: ${description}`),
  ),
]

function recordLines({ record, usage, thinking }: TaskAnswer): readonly string[] {
  const note = record.review_notes
  return [
    ...(usage.tokens + (usage.usd ?? 0) === 0 ? [] : [`used: ${usageText(usage)}`]),
    ...(thinking === null ? [] : [`of that, thinking: ${usageText(thinking)}`]),
    `commit: ${record.commit_sha ?? 'none yet'}`,
    `fix attempts: ${record.retry_count}`,
    ...(record.duration_ms === null ? [] : [`took: ${formatDuration(record.duration_ms)}`]),
    ...record.artifacts.map((file) => terminalLine(`file: ${file}`)),
    ...record.known_risks.map(({ severity, status, description }) =>
      terminalLine(`risk: ${severity}, ${status}: ${description}`),
    ),
    ...(note === null ? [] : [terminalLine(`note: ${note.summary}`)]),
  ]
}
