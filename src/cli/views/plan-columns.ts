/** Divides the width of a terminal among the columns of a plan's table. */
import type { TaskSpec } from '../../core/planning/plan.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { cutPath, fitText, textWidth } from '../../lib/text/text-width.ts'

export const GAP = '  '

export interface Columns {
  readonly headings: readonly string[]
  readonly widths: readonly number[]
  cellsOf(task: TaskSpec): readonly string[]
  /** The gates of tasks whose cell is empty. */
  readonly commonGates: string
}

/** Cuts a cell to its column, keeping the end of a path and the start of a text. */
export function fitCell(cell: string, heading: string, width: number): string {
  if (heading !== 'AREA') return fitText(cell, width)
  return fitText(cell.startsWith('~') ? `~${cutPath(cell.slice(1), width - 1)}` : cutPath(cell, width), width)
}

/** Each column gets `least`; the rest is given out in the order of `share`. */
const COLUMNS = [
  { heading: 'ID', least: 12, share: 0 },
  { heading: 'TIER', least: 8, share: 0 },
  { heading: 'TASK', least: 24, share: 2 },
  { heading: 'AREA', least: 16, share: 3 },
  { heading: 'NEEDS', least: 6, share: 1 },
  { heading: 'GATES', least: 10, share: 4 },
] as const
/** The most that NEEDS takes before the title has its full width. */
const NEEDS_FIRST = 12

export function columnsFor(tasks: readonly TaskSpec[], width: number): Columns {
  const commonGates = mostCommon(tasks.map((task) => gateLabels(task).join(' ')))
  const differ = tasks.some((task) => gateLabels(task).join(' ') !== commonGates)
  const used = differ ? COLUMNS : COLUMNS.slice(0, -1)
  const cellsOf = (task: TaskSpec): readonly string[] => {
    const gates = gateLabels(task).join(' ')
    const all = [
      task.id,
      task.tier,
      task.title,
      areaCell(task),
      needsCell(task),
      gates === commonGates ? '' : gates,
    ]
    return all.slice(0, used.length).map(terminalLine)
  }
  const rows = [used.map((column) => column.heading), ...tasks.map(cellsOf)]
  const natural = used.map((_, at) => rows.reduce((most, row) => Math.max(most, textWidth(row[at] ?? '')), 0))
  const widths = natural.map((size, at) => Math.min(size, used[at]?.least ?? 0))
  let left = width - GAP.length * (used.length - 1) - widths.reduce((sum, size) => sum + size, 0)
  const byShare = used.map((column, at) => ({ at, share: column.share })).sort((a, b) => a.share - b.share)
  for (const round of [NEEDS_FIRST, Number.POSITIVE_INFINITY]) {
    for (const { at, share } of byShare) {
      const wanted = Math.min(natural[at] ?? 0, share === 1 ? round : Number.POSITIVE_INFINITY)
      const more = Math.max(0, Math.min(wanted - (widths[at] ?? 0), left))
      widths[at] = (widths[at] ?? 0) + more
      left -= more
    }
  }
  return { headings: rows[0] ?? [], widths, cellsOf, commonGates }
}

function areaCell(task: TaskSpec): string {
  return `${task.inferred.includes('ownership') ? '~' : ''}${task.ownership}`
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
