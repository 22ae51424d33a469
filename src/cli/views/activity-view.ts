/** One line of the activity log, for people. */
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { ActivityLine } from '../../protocol/answers.ts'
import type { Style } from '../terminal/terminal.ts'
import { moment } from './durations.ts'

export function activityText(line: ActivityLine, style: Style): string {
  const about = [line.plan_id, line.task_id, line.worker_id].filter((id) => id !== undefined).join(' ')
  const facts = Object.entries(line.data)
    .filter(([key, value]) => key !== 'seq' && value !== null && value !== '')
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const time = style.dim(moment(terminalLine(line.timestamp)))
  return `${time}  ${paint(terminalLine(line.event), style)}  ${terminalLine(about)}  ${style.dim(terminalLine(facts.join(' ')))}\n`
}

function paint(event: string, style: Style): string {
  if (/_(failed|killed|inconclusive|stalled)$|near_miss/.test(event)) return style.red(event)
  if (/_opened$|_paused$/.test(event)) return style.yellow(event)
  return event === 'task_committed' || event === 'release_ready' ? style.green(event) : event
}
