/** `bosun trace`: requirements as a tree, each with its tasks, and each task with its tests and its commit. */
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { counted } from '../../lib/text/counted.ts'
import { terminalText } from '../../lib/text/terminal-text.ts'
import type { TraceAnswer } from '../../protocol/plan-views.ts'
import type { Style } from '../terminal/terminal.ts'
import { repoHere } from '../caller.ts'
import { readAnswer } from '../reading.ts'

export async function showTrace(call: Call): Promise<CommandResult> {
  const [requirement] = call.args
  const asked = { requirement, plan: call.option('plan'), repo: await repoHere(call) }
  const { answer, document } = await readAnswer(call, '/api/trace', asked)
  return resultOf(document, (style) => traceText(answer, style))
}

type Requirement = TraceAnswer['requirements'][number]
type Task = Requirement['tasks'][number]

export function traceText({ plan, repo, requirements }: TraceAnswer, style: Style): string {
  const parts = requirements.map((one) => requirementText(one, style))
  return `${[`${style.bold(`Plan ${terminalText(plan)}`)}  ${style.dim(terminalText(repo))}`, ...parts].join('\n\n')}\n`
}

function requirementText({ id, title, tasks }: Requirement, style: Style): string {
  const head = style.bold(terminalText(id)) + (title === null ? '' : `  ${terminalText(title)}`)
  if (tasks.length === 0) return `${head}\n  ${style.yellow('no task of the plan builds it')}`
  const done = tasks.filter(({ commit_sha: commit }) => commit !== null).length
  return [
    `${head}  ${style.dim(`(${done} of ${counted(tasks.length, 'task')} committed)`)}`,
    ...tasks.map((task) => taskText(task, style)),
  ].join('\n')
}

function taskText(task: Task, style: Style): string {
  const story = task.story === null ? '' : `${terminalText(task.story)} → `
  const lines = [
    `  ${story}${terminalText(task.id)}  ${terminalText(task.title)}  ${statusText(task, style)}`,
    `      criteria  ${task.criteria_confirmed} of ${task.criteria_total} confirmed`,
    ...task.tests.map((path) => `      test      ${terminalText(path)}${passText(task, style)}`),
    `      commit    ${task.commit_sha === null ? style.dim('none yet') : task.commit_sha.slice(0, 12)}`,
  ]
  return lines.join('\n')
}

const statusText = ({ status }: Task, style: Style): string => {
  const words = status.replaceAll('_', ' ')
  if (status === 'completed') return style.green(words)
  return status === 'failed' || status === 'escalated' ? style.red(words) : style.dim(words)
}

function passText({ tests_pass: pass }: Task, style: Style): string {
  if (pass === null) return ''
  return pass ? ` ${style.green('passes')}` : ` ${style.red('fails')}`
}
