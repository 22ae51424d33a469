/** Prints events as they happen: as lines, above a live block, or as one JSON object per line. */
import { terminalLine } from '../lib/text/terminal-text.ts'
import type { EventMessage } from '../protocol/answers.ts'
import { attachedNotice } from './terminal/attached-notice.ts'
import { jsonLine, type Call } from './command.ts'
import { shortPlan } from '../lib/text/short-plan.ts'
import { localTimeOfDay } from '../lib/system/local-time.ts'
import { LiveBlock } from './terminal/live-block.ts'
import type { Style } from './terminal/terminal.ts'

export interface Follower {
  /** What to ask the event stream for: a terminal that a person looks at shows notices. */
  readonly notices: 'terminal' | undefined
  /** `unwanted` when the reader has gone. */
  show(message: EventMessage): Promise<'written' | 'unwanted'>
  /** Redraws the block, where there is one. */
  refresh(): Promise<void>
  end(): Promise<void>
}

const EVERY_MS = 1000

/** What is followed, and the current lines for the bottom of a terminal. */
export interface Followed {
  /** In whose name the lines of `--json` are printed; null for lines that only people read. */
  readonly command: 'run' | 'start' | 'watch' | null
  readonly block: () => readonly string[]
  /** Events of one plan: only the first line names it. */
  readonly isOnePlan: boolean
}

export function followerFor(call: Call, { command, block, isOnePlan }: Followed): Follower {
  const { terminal } = call
  const lines = linesFor(terminal.style, isOnePlan)
  if (!call.json && terminal.output === 'terminal') return liveFollower(call, block, lines)
  const textOf = (message: EventMessage): string =>
    call.json && command !== null
      ? message.activity.map((line) => jsonLine(command, line)).join('')
      : lines(message)
          .map((line) => `${line}\n`)
          .join('')
  return {
    notices: undefined,
    async show(message) {
      const text = textOf(message)
      return text === '' ? 'written' : terminal.print(text)
    },
    refresh: nothing,
    end: nothing,
  }
}

type LinesOf = (message: EventMessage) => readonly string[]

function liveFollower(call: Call, block: () => readonly string[], lines: LinesOf): Follower {
  const { terminal } = call
  const live = new LiveBlock(terminal)
  const refresh = async (): Promise<void> => void (await live.draw([], block()))
  // Keeps the shown times current; a closed terminal is noticed at the next event.
  const timer = setInterval(() => void refresh().catch(() => undefined), EVERY_MS)
  return {
    notices: terminal.env['BOSUN_NOTIFY'] === 'off' ? undefined : 'terminal',
    async show(message) {
      const drawn = await live.draw(lines(message), block())
      if (message.notice !== undefined && drawn === 'written')
        await terminal.print(await attachedNotice(terminal.env, message.notice))
      return drawn
    },
    refresh,
    async end() {
      clearInterval(timer)
      await live.clear()
    },
  }
}

/** None for internal events. */
function linesFor(style: Style, isOnePlan: boolean): LinesOf {
  let isNamed = false
  const isChoiceKnown = knownChoices()
  return (message) => {
    const { timestamp, plan, task, text, details } = message
    if (isChoiceKnown(message) || text === null) return []
    const named = isOnePlan && isNamed ? '' : (plan ?? '')
    isNamed = true
    const about = [
      isOnePlan ? named : shortPlan(named),
      task === null ? '' : named === '' ? `task ${task}` : task,
    ]
    const whom = terminalLine(about.filter((part) => part !== '').join(' '))
    const head = style.dim(`${localTimeOfDay(new Date(timestamp))}${whom === '' ? '' : ` ${whom}:`}`)
    const more = details.map((detail) => style.dim(`  ↳ ${terminalLine(detail)}`))
    return [`${head} ${paint(terminalLine(text), style)}`, ...more]
  }
}

/** Whether a message only says that a worker has the agent and the model that the last one of its plan and role had. */
function knownChoices(): (message: EventMessage) => boolean {
  const roles = new Map<string, unknown>()
  const last = new Map<string, string>()
  return ({ plan, activity }) => {
    for (const { event, worker_id: worker = '', data } of activity) {
      if (event === 'task_dispatched') roles.set(worker, data['role'])
      if (event === 'review_dispatched') roles.set(worker, 'reviewer')
      if (event !== 'worker_registered') continue
      const role = JSON.stringify([plan, roles.get(worker)])
      const choice = JSON.stringify([data['agent'], data['protocol'], data['model']])
      roles.delete(worker)
      if (last.get(role) === choice) return true
      last.set(role, choice)
    }
    return false
  }
}

/** Highlights failures, questions and landed work. */
function paint(text: string, style: Style): string {
  if (/^\s*↳/.test(text)) return style.dim(text)
  if (/^(committed|released)\b/.test(text)) return style.green(text)
  if (/^\S+ asks: /.test(text)) return style.yellow(text)
  return /\b(failed|inconclusive|stopping|changes requested)\b/.test(text) ? style.red(text) : text
}

const nothing = (): Promise<void> => Promise.resolve()
