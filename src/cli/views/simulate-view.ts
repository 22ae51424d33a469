/** A simulation for people: timeline, tasks and outcome. */
import type { SimulationReport } from '../../app/plans/simulate-plan.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { cutText, fitText, textWidth, wrapText } from '../../lib/text/text-width.ts'
import type { Style } from '../terminal/terminal.ts'
import { blockText, textTable } from './text-table.ts'

export interface SimulationView {
  readonly style: Style
  readonly width: number
}

const LEAST_WIDTH = 60
/** The rest is in `--json`. */
const MOST_LINES = 400

export function simulationText(report: SimulationReport, view: SimulationView): string {
  const width = Math.max(LEAST_WIDTH, view.width)
  const { style } = view
  return blockText([
    headLines(report, style, width),
    timelineLines(report, style, width),
    taskLines(report, style, width),
    endLines(report, style, width),
  ])
}

function headLines(report: SimulationReport, style: Style, width: number): string[] {
  const faults = report.faults.length === 0 ? 'no faults' : `faults: ${report.faults.join(', ')}`
  const note = `A simulation (seed ${report.seed}, ${faults}): no agent runs, nothing changes, and the clock is virtual.`
  return [
    style.bold(cutText(terminalLine(report.plan.title), width)),
    ...wrapText(note, width).map((line) => style.dim(line)),
  ]
}

/** `2:05:09`. */
export function clockTime(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${ms < 0 ? '-' : ''}${hours}:${two(minutes)}:${two(seconds % 60)}`
}

function timelineLines(report: SimulationReport, style: Style, width: number): string[] {
  const shown = report.timeline.slice(0, MOST_LINES)
  const times = shown.map((line) => clockTime(line.at_ms))
  const timeWidth = Math.max(...times.map((time) => time.length))
  const taskWidth = Math.min(
    14,
    Math.max(4, ...shown.map((line) => textWidth(terminalLine(line.task ?? '')))),
  )
  const lines = shown.map((line, place) => {
    const time = style.dim((times[place] ?? '').padStart(timeWidth))
    const task = fitText(terminalLine(line.task ?? ''), taskWidth)
    const text = cutText(terminalLine(line.text), width - timeWidth - taskWidth - 4)
    return `${time}  ${task}  ${paint(line.event, text, style)}`
  })
  const rest = report.timeline.length - shown.length
  return rest === 0 ? lines : [...lines, style.dim(`… ${rest} more; see --json`)]
}

function paint(event: string, text: string, style: Style): string {
  if (event === 'task.committed' || event === 'release.prepared') return style.green(text)
  if (event === 'inbox.opened' || event === 'plan.paused') return style.yellow(text)
  const isBad = /\b(failed|inconclusive|refused|stopping)\b/.test(text)
  return isBad || event === 'worker.condemned' ? style.red(text) : text
}

const HEADINGS = ['ID', 'STATUS', 'TIER', 'SENT', 'FROM', 'TO', 'TASK']

function taskLines(report: SimulationReport, style: Style, width: number): string[] {
  const rows = report.tasks.map((task) => [
    task.id,
    task.status.replaceAll('_', ' '),
    task.tier,
    String(task.attempts),
    task.started_ms === null ? '' : clockTime(task.started_ms),
    task.ended_ms === null ? '' : clockTime(task.ended_ms),
    task.title,
  ])
  const [head = '', ...lines] = textTable([HEADINGS, ...rows], width)
  return [style.dim(head), ...lines]
}

function endLines(report: SimulationReport, style: Style, width: number): string[] {
  const done = report.tasks.filter((task) => task.status === 'completed').length
  const crashes = report.pm_crashes === 0 ? '' : `, ${report.pm_crashes} PM crashes`
  const facts = `${done} of ${report.tasks.length} tasks completed in ${clockTime(report.elapsed_ms)}, ${report.events} events${crashes}.`
  const head = `Outcome: ${report.outcome}: ${terminalLine(report.why)}`
  const waiting = report.inbox.map((item) => `  ${item['id']}  ${terminalLine(item['problem'])}`)
  return [
    ...wrapText(head, width).map((line) => style.bold(line)),
    ...wrapText(facts, width),
    ...(waiting.length === 0 ? [] : ['Waiting for you:', ...waiting.map((line) => cutText(line, width))]),
    ...(report.violation === null
      ? []
      : [
          style.red(
            `Bosun violated an invariant: ${report.violation}. Please report it with the plan and the seed.`,
          ),
        ]),
  ]
}
