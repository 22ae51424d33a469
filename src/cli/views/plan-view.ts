/** A plan for people (tasks in order, tiers with reasons, and problems) and for scripts, whose contract is its keys. */
import type { PlanFigures } from '../../core/planning/plan-figures.ts'
import type { Plan, Problem, TaskSpec, Tier } from '../../core/planning/plan.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { cutPath, cutText, textWidth, wrapText } from '../../lib/text/text-width.ts'
import { columnsFor, fitCell, GAP, gateLabels, type Columns } from './plan-columns.ts'
import type { Style } from '../terminal/terminal.ts'
import { counted } from '../../lib/text/counted.ts'
import { blockText } from './text-table.ts'

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
    style.dim(
      `${header.id}${GAP}${cutPath(terminalLine(header.source), width - header.id.length - GAP.length)}`,
    ),
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
  const columns = columnsFor(tasks, width)
  const shown = (cells: readonly string[]): readonly string[] =>
    cells.map((cell, at) => fitCell(cell, columns.headings[at] ?? '', columns.widths[at] ?? 0))
  const indent = (columns.widths[0] ?? 0) + GAP.length
  return [
    style.dim(shown(columns.headings).join(GAP).trimEnd()),
    ...tasks.flatMap((task) => [
      coloured(task, shown(columns.cellsOf(task)), style)
        .join(GAP)
        .trimEnd(),
      ...whyLines(task, indent, view),
    ]),
    '',
    ...legend(tasks, columns).map((line) => style.dim(line)),
  ]
}

function legend(tasks: readonly TaskSpec[], columns: Columns): readonly string[] {
  const rest = columns.headings.includes('GATES') ? 'where none are listed' : 'for every task'
  const inferred = tasks.some(
    (task) => task.inferred.includes('depends_on') || task.inferred.includes('ownership'),
  )
  return [
    `gates: ${columns.commonGates === '' ? 'none' : columns.commonGates} ${rest}, in addition to the default gates`,
    ...(inferred ? ['~ inferred; set it in the plan to change it'] : []),
  ]
}

/** In execution order; as written where there is none. */
function inOrder(plan: Plan): readonly TaskSpec[] {
  const byId = new Map(plan.tasks.map((task) => [task.id, task]))
  return plan.order.length === plan.tasks.length ? plan.order.flatMap((id) => byId.get(id) ?? []) : plan.tasks
}

function coloured(task: TaskSpec, cells: readonly string[], style: Style): readonly string[] {
  const [id = '', tier = '', title = '', area = '', needs = '', gates = ''] = cells
  const dimMark = (cell: string): string => (cell.startsWith('~') ? style.dim('~') + cell.slice(1) : cell)
  return [
    style.bold(id),
    tierColour(task.tier, style)(tier),
    title,
    dimMark(area),
    dimMark(needs),
    style.dim(gates),
  ]
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
function whyLines(task: TaskSpec, indent: number, { style, width }: PlanView): readonly string[] {
  if (task.tier !== 'critical') return []
  const flags = task.securityFlags.length === 0 ? '' : `[${task.securityFlags.join(' ')}] `
  const text = cutText(terminalLine(`${flags}${task.tierReasons.join('; ')}`), width - indent)
  return text === '' ? [] : [' '.repeat(indent) + style.dim(text)]
}

function removedLines(plan: Plan, { style, width }: PlanView): readonly string[] {
  const { removedSteps } = plan
  if (removedSteps.length === 0) return []
  const shown = removedSteps.slice(0, MOST_REMOVED).map((step) => {
    const text = terminalLine(
      `  task ${step.task}, line ${step.line}: ${step.text.replace(/\s+/g, ' ')} (${step.reason})`,
    )
    return style.dim(cutText(text, width))
  })
  const more = removedSteps.length - shown.length
  return [
    `Not handed to workers: ${counted(removedSteps.length, 'step')}`,
    ...shown,
    ...(more > 0 ? [style.dim(`  and ${more} more; --json lists them all`)] : []),
  ]
}

/** `FILE:LINE: error: message` on one line, as editors parse it, with the remedy below. */
function problemLines(problems: readonly Problem[], { style, width }: PlanView): readonly string[] {
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
