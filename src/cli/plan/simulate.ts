/** `bosun simulate`: a simulation for people, with timeline, tasks and outcome. */
import { usageRefusal, refusal } from '../../lib/refusal.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { simulatePlan, type SimulationReport } from '../../app/plans/simulate-plan.ts'
import { terminalLine, cutText, wrapText } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'
import { atMost, blockText, textTable } from '../text.ts'
import { readCalledPlan } from './show-plan.ts'

const MOST = 4_294_967_295

export async function simulate(call: Call): Promise<CommandResult> {
  const text = call.option('seed') ?? '1'
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : MOST + 1
  if (seed > MOST) {
    throw usageRefusal(
      `invalid --seed "${text}" (use a whole number from 0 to ${MOST})`,
      'For example: --seed 7',
    )
  }
  const { plan, settings } = await readCalledPlan(call)
  const problems = plan.problems.filter((problem) => problem.severity === 'error')
  const [first] = problems
  if (first !== undefined) {
    throw refusal(
      'failed',
      `${first.file}:${first.line}: ${first.message}${problems.length > 1 ? ` (and ${problems.length - 1} more errors)` : ''}`,
      `${first.remedy} \`bosun plan\` shows every problem.`,
    )
  }
  const simulator = await call.services.simulator()
  const faults = call.option('faults') ?? 'none'
  const report = await simulatePlan({ plan, settings, seed, faults, simulator })
  return resultOf(
    report,
    (style) => simulationText(report, style, Math.max(LEAST_WIDTH, call.terminal.width)),
    report.violation === null ? 'ok' : 'failed',
  )
}

const LEAST_WIDTH = 60
/** Of the column with the task. */
const TASK_WIDTH = 14
/** The rest is in `--json`. */
const MOST_LINES = 400

const simulationText = (report: SimulationReport, style: Style, width: number): string =>
  blockText([
    headLines(report, style, width),
    timelineLines(report, style, width),
    taskLines(report, style, width),
    endLines(report, style, width),
  ])

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

function timelineLines({ timeline }: SimulationReport, style: Style, width: number): readonly string[] {
  const times = timeline.map(({ at_ms: at }) => clockTime(at))
  const longest = Math.max(...times.map((time) => time.length))
  const cells = timeline.map(({ task, text }, at) => [(times[at] ?? '').padStart(longest), task ?? '', text])
  const rows = textTable(cells, width, TASK_WIDTH)
  const lines = rows.map((row, at) => paint(timeline[at]?.event ?? '', row, style))
  return atMost(MOST_LINES, lines, (left) => style.dim(`… ${left} more; see --json`))
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
