/** The activity log, for people. */
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { shortPlan } from '../../lib/text/short-plan.ts'
import type { ActivityLine } from '../../protocol/answers.ts'
import type { Style } from '../terminal/terminal.ts'
import { moment } from './durations.ts'

/** `isOnePlan`: the lines around it are of the same plan. */
export function activityText(line: ActivityLine, style: Style, isOnePlan = false): string {
  const { plan_id: plan = '', task_id: task = '', worker_id: worker = '' } = line
  // A worker's id holds its plan's.
  const isNamed = isOnePlan || worker.startsWith(`w-${plan}-`)
  const about = [isNamed ? '' : shortPlan(plan), task, worker].filter((id) => id !== '').join(' ')
  const facts = Object.entries(line.data)
    .filter(([key, value]) => key !== 'seq' && value !== null && value !== '')
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const time = style.dim(moment(terminalLine(line.timestamp)))
  const more = facts.length === 0 ? '' : style.dim(terminalLine(facts.join(' ')))
  const parts = [time, paint(terminalLine(line.event), style), terminalLine(about), more]
  return `${parts.filter((part) => part !== '').join('  ')}\n`
}

/** What is past; its plan is left out where there is only one. */
export function activityTexts(lines: readonly ActivityLine[], style: Style): string {
  const isOnePlan = new Set(lines.flatMap((line) => line.plan_id ?? [])).size === 1
  return lines.map((line) => activityText(line, style, isOnePlan)).join('')
}

function paint(event: string, style: Style): string {
  if (/_(failed|killed|inconclusive|stalled)$|near_miss/.test(event)) return style.red(event)
  if (/_opened$|_paused$/.test(event)) return style.yellow(event)
  return event === 'task_committed' || event === 'release_ready' ? style.green(event) : event
}
