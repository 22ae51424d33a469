/** A plan as people read it: what is done in which order, how risky it is and why, and what is wrong with it. */
import type { PlanFigures } from '../core/planning/plan-figures.ts'
import type { Plan, Problem, TaskSpec, Tier } from '../core/planning/plan.ts'
import { terminalLine } from '../lib/terminal-text.ts'
import { cutText, fitText, textWidth, wrapText } from '../lib/text-width.ts'
import type { Style } from './terminal.ts'

export { planDocument } from './plan-document.ts'

export interface PlanView {
  readonly style: Style
  /** Columns of the terminal. */
  readonly width: number
}

const LEAST_WIDTH = 60
const GAP = '  '
const MOST_REMOVED = 12

export function planTable(plan: Plan, figures: PlanFigures, view: PlanView): string {
  const sized = { ...view, width: Math.max(LEAST_WIDTH, view.width) }
  const blocks = [
    headLines(plan, sized),
    taskLines(plan, sized),
    removedLines(plan, sized),
    problemLines(plan.problems, sized),
    wrapText(summary(figures, plan), sized.width),
  ]
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function headLines(plan: Plan, { style, width }: PlanView): readonly string[] {
  const { header } = plan
  const goal = terminalLine(header.goal ?? '')
  return [
    ...wrapText(terminalLine(header.title), width).map((line) => style.bold(line)),
    style.dim(
      cutText(
        terminalLine(
          `${header.id} · ${header.source}${header.design === null ? '' : ` · design ${header.design}`}`,
        ),
        width,
      ),
    ),
    ...(goal === '' ? [] : wrapText(goal, width)),
  ]
}

interface Row {
  readonly task: TaskSpec
  readonly cells: readonly string[]
}

const HEADINGS = ['ID', 'TIER', 'TASK', 'AREA', 'NEEDS', 'GATES'] as const

function taskLines(plan: Plan, view: PlanView): readonly string[] {
  if (plan.tasks.length === 0) return []
  const { style, width } = view
  const rows = inOrder(plan).map((task): Row => ({ task, cells: cellsOf(task) }))
  const widths = columnWidths([HEADINGS, ...rows.map((row) => row.cells)], width)
  const shown = (cells: readonly string[]): readonly string[] =>
    cells.map((cell, at) => fitText(cell, widths[at] ?? 0))
  const indent = (widths[0] ?? 0) + GAP.length
  const inferred = rows.some(
    (row) => row.task.inferred.includes('depends_on') || row.task.inferred.includes('ownership'),
  )
  return [
    style.dim(shown(HEADINGS).join(GAP).trimEnd()),
    ...rows.flatMap(({ task, cells }) => [
      coloured(task, shown(cells), style).join(GAP).trimEnd(),
      ...whyLines(task, indent, view),
    ]),
    ...(inferred ? ['', style.dim('~ inferred: say it in the plan to change it')] : []),
  ]
}

/** In the order of work; where there is none, as written. */
function inOrder(plan: Plan): readonly TaskSpec[] {
  const byId = new Map(plan.tasks.map((task) => [task.id, task]))
  return plan.order.length === plan.tasks.length ? plan.order.flatMap((id) => byId.get(id) ?? []) : plan.tasks
}

function cellsOf(task: TaskSpec): readonly string[] {
  const mark = (field: 'ownership' | 'depends_on'): string => (task.inferred.includes(field) ? '~' : '')
  const needs = task.dependsOn.length === 0 ? '-' : `${mark('depends_on')}${task.dependsOn.join(' ')}`
  return [
    task.id,
    task.tier,
    task.title,
    `${mark('ownership')}${task.ownership}`,
    needs,
    task.gates.join(' '),
  ].map(terminalLine)
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

/** Why a task is critical: the one thing worth a second line. */
function whyLines(task: TaskSpec, indent: number, { style, width }: PlanView): readonly string[] {
  if (task.tier !== 'critical') return []
  const flags = task.securityFlags.length === 0 ? '' : `[${task.securityFlags.join(' ')}] `
  const text = cutText(terminalLine(`${flags}${task.tierReasons.join('; ')}`), width - indent)
  return text === '' ? [] : [' '.repeat(indent) + style.dim(text)]
}

/** Natural widths where they fit; else area, needs and title give way, each down to what still says something. */
function columnWidths(rows: readonly (readonly string[])[], width: number): readonly number[] {
  const natural = HEADINGS.map((_, at) =>
    rows.reduce((most, row) => Math.max(most, textWidth(row[at] ?? '')), 0),
  )
  const [id = 0, tier = 0, title = 0, area = 0, needs = 0, gates = 0] = natural
  const fixed = [Math.min(id, 12), tier, 0, 0, 0, Math.min(gates, 24)]
  let left = width - GAP.length * (HEADINGS.length - 1) - fixed.reduce((sum, size) => sum + size, 0)
  const least = { title: Math.min(title, 20), area: Math.min(area, 10), needs: Math.min(needs, 6) }
  left -= least.title + least.area + least.needs
  const grow = (from: number, to: number, most: number): number => {
    const more = Math.max(0, Math.min(to, most) - from)
    const taken = Math.max(0, Math.min(more, left))
    left -= taken
    return from + taken
  }
  const needsWidth = grow(least.needs, needs, 14)
  const areaWidth = grow(least.area, area, 24)
  const titleWidth = grow(least.title, title, title)
  const areaMore = grow(areaWidth, area, area)
  return [fixed[0] ?? 0, tier, titleWidth, areaMore, grow(needsWidth, needs, needs), fixed[5] ?? 0]
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
    `Not handed to workers: ${removedSteps.length} ${removedSteps.length === 1 ? 'step' : 'steps'}`,
    ...shown,
    ...(more > 0 ? [style.dim(`  and ${more} more; --json lists them all`)] : []),
  ]
}

/** `FILE:LINE: error: message` in one line, as editors read it, and below it what to do. */
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

function summary(figures: PlanFigures, plan: Plan): string {
  const { tasks, byTier } = figures
  const tiers = (['critical', 'normal', 'low'] as const)
    .filter((tier) => byTier[tier] > 0)
    .map((tier) => `${byTier[tier]} ${tier}`)
  const errors = plan.problems.filter((problem) => problem.severity === 'error').length
  const warnings = plan.problems.length - errors
  return [
    `${counted(tasks, 'task')}${tiers.length === 0 ? '' : `: ${tiers.join(', ')}`}`,
    ...(figures.sideBySide > 0 ? [`up to ${figures.sideBySide} side by side`] : []),
    ...(figures.longestChain > 0 ? [`longest chain ${figures.longestChain}`] : []),
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ].join(' · ')
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
