/** A plan for people (tasks in order, tiers with reasons, and problems) and for scripts, whose contract is its keys. */
import type { PlanFigures } from '../../core/planning/plan-figures.ts'
import type { Plan, Problem, TaskSpec, Tier } from '../../core/planning/plan.ts'
import { terminalLine, cutPath, cutText, textWidth, wrapText } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'
import { counted } from '../../lib/text/counted.ts'
import { atMost, blockText, textTable } from '../text.ts'

export interface PlanView {
  readonly style: Style
  /** Columns of the terminal. */
  readonly width: number
}

const LEAST_WIDTH = 60
const MOST_REMOVED = 12
const MOST_QUESTIONS = 12

export function planTable(plan: Plan, figures: PlanFigures, view: PlanView): string {
  const sized = { ...view, width: Math.max(LEAST_WIDTH, view.width) }
  return blockText([
    headLines(plan, sized),
    taskLines(plan, sized),
    removedLines(plan, sized),
    problemLines(plan.problems, sized),
    questionLines(plan, sized),
    summaryLines(figures, plan, sized.width),
  ])
}

function headLines(plan: Plan, { style, width }: PlanView): readonly string[] {
  const { header } = plan
  const goal = terminalLine(header.goal ?? '')
  return [
    ...wrapText(terminalLine(header.title), width).map((line) => style.bold(line)),
    style.dim(`${header.id}  ${cutPath(terminalLine(header.source), width - header.id.length - 2)}`),
    ...(header.design === null
      ? []
      : [style.dim(`design ${cutPath(terminalLine(header.design), width - 7)}`)]),
    ...(goal === '' ? [] : wrapText(goal, width)),
  ]
}

function taskLines(plan: Plan, view: PlanView): readonly string[] {
  if (plan.tasks.length === 0) return []
  const { style, width } = view
  const tasks = inOrder(plan)
  const common = mostCommon(tasks.map((task) => gateLabels(task).join(' ')))
  const own = (task: TaskSpec): string => gateLabels(task).join(' ')
  const differ = tasks.some((task) => own(task) !== common)
  const cellsOf = (task: TaskSpec): readonly string[] => [
    task.id,
    task.tier,
    areaCell(task, Math.floor(width / 4)),
    needsCell(task),
    ...(differ ? [own(task) === common ? '' : own(task)] : []),
    task.title,
  ]
  const headings = ['ID', 'TIER', 'AREA', 'NEEDS', ...(differ ? ['GATES'] : []), 'TASK']
  const [head = '', ...rows] = textTable([headings, ...tasks.map(cellsOf)], width, Math.floor(width / 5))
  return [
    style.dim(head),
    ...tasks.flatMap((task, at) => [tierColour(task.tier, style)(rows[at] ?? ''), ...whyLines(task, view)]),
    '',
    ...legend(tasks, { common, differ }).map((line) => style.dim(line)),
  ]
}

function legend(
  tasks: readonly TaskSpec[],
  { common, differ }: { readonly common: string; readonly differ: boolean },
): readonly string[] {
  const rest = differ ? 'where none are listed' : 'for every task'
  const inferred = tasks.some(
    (task) => task.inferred.includes('depends_on') || task.inferred.includes('ownership'),
  )
  return [
    `gates: ${common === '' ? 'none' : common} ${rest}, in addition to the default gates`,
    ...(inferred ? ['~ inferred; set it in the plan to change it'] : []),
  ]
}

/** In execution order; as written where there is none. */
function inOrder(plan: Plan): readonly TaskSpec[] {
  const byId = new Map(plan.tasks.map((task) => [task.id, task]))
  return plan.order.length === plan.tasks.length ? plan.order.flatMap((id) => byId.get(id) ?? []) : plan.tasks
}

function tierColour(tier: Tier, style: Style): (text: string) => string {
  switch (tier) {
    case 'critical':
      return style.red
    case 'normal':
      return (text) => text
    case 'low':
      return style.dim
  }
}

/** The reasons why a task is critical. */
function whyLines(task: TaskSpec, { style, width }: PlanView): readonly string[] {
  if (task.tier !== 'critical') return []
  const flags = task.securityFlags.length === 0 ? '' : `[${task.securityFlags.join(' ')}] `
  const text = cutText(terminalLine(`${flags}${task.tierReasons.join('; ')}`), width - 4)
  return text === '' ? [] : [`    ${style.dim(text)}`]
}

function removedLines(plan: Plan, { style, width }: PlanView): readonly string[] {
  const { removedSteps } = plan
  if (removedSteps.length === 0) return []
  const lines = removedSteps.map((step) => {
    const text = `  task ${step.task}, line ${step.line}: ${step.text.replace(/\s+/g, ' ')} (${step.reason})`
    return style.dim(cutText(terminalLine(text), width))
  })
  const rest = (count: number): string => style.dim(`  and ${count} more; --json lists them all`)
  return [
    `Not handed to workers: ${counted(removedSteps.length, 'step')}`,
    ...atMost(MOST_REMOVED, lines, rest),
  ]
}

/** `FILE:LINE: error: message` on one line, as editors parse it, with the remedy below. */
export function problemLines(problems: readonly Problem[], { style, width }: PlanView): readonly string[] {
  return problems.flatMap((problem) => {
    const kind = problem.severity === 'error' ? style.red('error:') : style.yellow('warning:')
    const place = style.bold(terminalLine(`${problem.file}:${problem.line}:`))
    return [
      `${place} ${kind} ${terminalLine(problem.message)}`,
      ...wrapText(terminalLine(problem.remedy), width - 2).map((line) => `  ${style.dim(line)}`),
    ]
  })
}

/** What a person is asked before the task is built. */
function questionLines(plan: Plan, { style, width }: PlanView): readonly string[] {
  const asked = plan.tasks.flatMap(({ id, questions = [] }) => questions.map((one) => ({ id, ...one })))
  if (asked.length === 0) return []
  const shown = asked.slice(0, MOST_QUESTIONS).flatMap(({ id, line, kind, words, choices }) => {
    const named = choices.length === 0 ? '' : ` (${choices.join(' | ')})`
    const text = `task ${id}, line ${line}: ${QUESTION[kind]}: "${words}"${named}`
    return wrapText(terminalLine(text), width - 4).map((part, at) => `${at === 0 ? '  ' : '    '}${part}`)
  })
  const more = asked.length - MOST_QUESTIONS
  return [
    `Asked before work starts: ${counted(asked.length, 'open point')}; the tasks concerned wait for your answer`,
    ...shown,
    ...(more > 0 ? [style.dim(`  and ${more} more; --json lists them all`)] : []),
  ]
}

const QUESTION: Readonly<Record<NonNullable<TaskSpec['questions']>[number]['kind'], string>> = {
  undecided: 'undecided',
  alternatives: 'open choice',
}

function besideFacts({ sideBySide, sideBySideWidened }: PlanFigures): readonly string[] {
  if (sideBySide === 0) return []
  const beside = sideBySide === 1 ? 'one at a time' : `up to ${sideBySide} in parallel`
  return [
    sideBySideWidened > sideBySide
      ? `${beside} (${sideBySideWidened} if normal tasks run in parallel)`
      : beside,
  ]
}

function summaryLines(figures: PlanFigures, plan: Plan, width: number): readonly string[] {
  const { tasks, byTier } = figures
  const tiers = (['critical', 'normal', 'low'] as const)
    .filter((tier) => byTier[tier] > 0)
    .map((tier) => `${byTier[tier]} ${tier}`)
  const errors = plan.problems.filter((problem) => problem.severity === 'error').length
  const warnings = plan.problems.length - errors
  const open = plan.tasks.reduce((sum, { questions = [] }) => sum + questions.length, 0)
  const facts = [
    `${counted(tasks, 'task')}${tiers.length === 0 ? '' : `: ${tiers.join(', ')}`}`,
    ...besideFacts(figures),
    ...(figures.longestChain > 0 ? [`longest chain ${figures.longestChain}`] : []),
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
    ...(open > 0 ? [counted(open, 'question')] : []),
  ]
  return facts.reduce<readonly string[]>((lines, fact) => {
    const last = lines.at(-1)
    const longer = `${last} · ${fact}`
    if (last === undefined || textWidth(longer) > width) return [...lines, fact]
    return [...lines.slice(0, -1), longer]
  }, [])
}

export const planDocument = ({ header, tasks, order, removedSteps, problems }: Plan) => {
  const { id, title, source, design, format } = header
  return {
    plan: { id, title, source, design, format },
    tasks: tasks.map(taskDocument),
    order,
    removed_steps: removedSteps,
    problems,
    questions: tasks.flatMap(({ id: task, questions = [] }) =>
      questions.map(({ kind, words, line, choices }) => ({ task, line, kind, words, choices })),
    ),
  }
}

const taskDocument = (task: TaskSpec) => ({
  id: task.id,
  title: task.title,
  tier: task.tier,
  tier_reasons: task.tierReasons,
  security_flags: task.securityFlags,
  ownership: task.ownership,
  layer: task.layer,
  depends_on: task.dependsOn,
  acceptance_criteria: task.acceptanceCriteria,
  files: task.files,
  tests_to_add: task.testsToAdd,
  tests_to_run: task.testsToRun,
  gates: gateLabels(task),
  time_budget: durationText(task.timeBudgetMs),
  inferred: task.inferred,
  line: task.line,
  requirements: task.requirements ?? [],
  story: task.story ?? null,
  role: task.role ?? null,
  scope: task.scope ?? null,
  red_on_base: task.redOnBase ?? null,
})

/** As written in bosun.yaml: `30m`, `90s`, `1500ms`. */
export function durationText(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000}m`
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`
}

/** The end of a path says more than its beginning. */
function areaCell({ ownership, inferred }: TaskSpec, width: number): string {
  return inferred.includes('ownership') ? `~${cutPath(ownership, width - 1)}` : cutPath(ownership, width)
}

function needsCell(task: TaskSpec): string {
  if (task.dependsOn.length === 0) return '-'
  return `${task.inferred.includes('depends_on') ? '~' : ''}${task.dependsOn.join(' ')}`
}

function mostCommon(values: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0] as const)[0]
}

/** The gates of a task beyond those of every task: kinds, and custom gates by name. */
export const gateLabels = ({ gates, ownGates = [] }: TaskSpec): readonly string[] => [
  ...gates,
  ...ownGates.map(({ name }) => name),
]
