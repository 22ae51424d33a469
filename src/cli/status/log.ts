/** `bosun log`: the activity log, for people. */
import { usageRefusal } from '../../lib/refusal.ts'
import type { ActivityLine } from '../../protocol/answers.ts'
import { jsonLine, resultOf, type Call, type CommandResult } from '../command.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { shortPlan } from '../../lib/text/counted.ts'
import type { Style } from '../terminal/terminal.ts'
import { moment, momentOf } from '../text.ts'
import { openReading, readAnswer } from '../reading.ts'
import { followDaemons } from './follow-daemons.ts'

export async function showLog(call: Call): Promise<CommandResult> {
  const given = call.option('since')
  const since = given === undefined ? undefined : momentOf(given, Date.now())
  if (since === null) {
    throw usageRefusal(
      `invalid --since "${given ?? ''}" (use 30m, 2h, 1d or 2026-01-05T09:00)`,
      'For example: bosun log --since 2h',
    )
  }
  return call.flag('follow') ? follow(call, since) : once(call, since)
}

const filterOf = (call: Call): { worker: string | undefined; event: string | undefined } => ({
  worker: call.option('worker'),
  event: call.option('event'),
})

async function once(call: Call, since: number | undefined): Promise<CommandResult> {
  const query = { ...filterOf(call), since }
  const { answer, document } = await readAnswer(call, '/api/activity', query)
  if (answer.unreadable > 0)
    call.terminal.printMessage(`skipped ${answer.unreadable} unreadable lines of the activity log\n`)
  if (answer.truncated)
    call.terminal.printMessage(
      `showing only the newest ${answer.activity.length} lines; narrow it with --since\n`,
    )
  if (answer.activity.length === 0 && !call.json) call.terminal.printMessage('no matching events\n')
  return resultOf(document, (style) => activityTexts(answer.activity, style))
}

/** Prints the past, then new lines, without a gap. */
async function follow(call: Call, since: number | undefined): Promise<CommandResult> {
  const interrupted = call.services.interruption()
  const { worker, event } = filterOf(call)
  const matches = (line: ActivityLine): boolean =>
    (worker === undefined || line.worker_id === worker) && (event === undefined || line.event === event)
  const print = (line: ActivityLine): Promise<'written' | 'unwanted'> =>
    call.terminal.print(call.json ? jsonLine('log', line) : activityText(line, call.terminal.style))
  const past = async () => {
    await using from = await openReading(call)
    // In this order, so that nothing is missed; duplicates are dropped below.
    const { seq } = await from.get('/api/status')
    return { seq, before: await from.get('/api/activity', { worker, event, since }) }
  }
  const { seq, before } = await past()
  const isBefore = (line: ActivityLine): boolean =>
    typeof line.data['seq'] !== 'number' || line.data['seq'] <= seq
  for (const line of before.activity.filter(isBefore)) if ((await print(line)) === 'unwanted') return ENDED
  for await (const { message } of followDaemons(call, { after: seq, interrupted })) {
    for (const line of message?.activity.filter(matches) ?? [])
      if ((await print(line)) === 'unwanted') return ENDED
  }
  return ENDED
}

const ENDED = resultOf({ ended: true }, '', 'interrupted')

/** `isOnePlan`: the lines around it are of the same plan. */
export function activityText(line: ActivityLine, style: Style, isOnePlan = false): string {
  const { plan_id: plan = '', task_id: task = '', worker_id: worker = '' } = line
  // A worker's id holds its plan's.
  const isNamed = isOnePlan || worker.startsWith(`w-${plan}-`)
  const about = [isNamed ? '' : shortPlan(plan), task, worker].filter((id) => id !== '').join(' ')
  const time = style.dim(moment(terminalLine(line.timestamp)))
  const parts = [time, paint(terminalLine(line.event), style), terminalLine(about), terminalLine(line.text)]
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
