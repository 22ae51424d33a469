/** Prints events as they happen: as lines, above a live block, or as one JSON object per line. */
import { terminalJson, terminalLine } from '../lib/text/terminal-text.ts'
import type { EventMessage } from '../protocol/answers.ts'
import { schemaOf, type Call } from './command.ts'
import { localTimeOfDay } from '../lib/system/local-time.ts'
import { LiveBlock } from './terminal/live-block.ts'
import type { Style } from './terminal/terminal.ts'

export interface Follower {
  /** `unwanted` when the reader has gone. */
  show(message: EventMessage): Promise<'written' | 'unwanted'>
  /** Redraws the block, where there is one. */
  refresh(): Promise<void>
  end(): Promise<void>
}

const EVERY_MS = 1000

/** `block` returns the current lines for the bottom of a terminal. */
export function followerFor(call: Call, command: string, block: () => readonly string[]): Follower {
  if (call.json) return jsonFollower(call, command)
  return call.terminal.output === 'terminal' ? liveFollower(call, block) : plainFollower(call)
}

function jsonFollower({ terminal }: Call, command: string): Follower {
  return {
    async show({ activity }) {
      const lines = activity.map(
        (line) => `${terminalJson({ schema: schemaOf(command), ...line }, 'one line')}\n`,
      )
      return lines.length === 0 ? 'written' : terminal.print(lines.join(''))
    },
    refresh: nothing,
    end: nothing,
  }
}

function plainFollower({ terminal }: Call): Follower {
  return {
    async show(message) {
      const lines = linesOf(message, terminal.style)
      return lines.length === 0 ? 'written' : terminal.print(lines.map((line) => `${line}\n`).join(''))
    },
    refresh: nothing,
    end: nothing,
  }
}

function liveFollower({ terminal }: Call, block: () => readonly string[]): Follower {
  const live = new LiveBlock(terminal)
  const refresh = async (): Promise<void> => void (await live.draw([], block()))
  // Keeps the shown times current; a closed terminal is noticed at the next event.
  const timer = setInterval(() => void refresh().catch(() => undefined), EVERY_MS)
  return {
    async show(message) {
      return live.draw(linesOf(message, terminal.style), block())
    },
    refresh,
    async end() {
      clearInterval(timer)
      await live.clear()
    },
  }
}

/** None for internal events. */
function linesOf({ timestamp, plan, task, text, details }: EventMessage, style: Style): readonly string[] {
  if (text === null) return []
  const about = task === null ? (plan ?? '') : `${plan ?? ''} ${task}`
  const head = style.dim(`${localTimeOfDay(new Date(timestamp))} ${terminalLine(about)}:`)
  const more = details.map((detail) => style.dim(`  ↳ ${terminalLine(detail)}`))
  return [`${head} ${paint(terminalLine(text), style)}`, ...more]
}

/** Highlights failures, questions and landed work. */
function paint(text: string, style: Style): string {
  if (/^\s*↳/.test(text)) return style.dim(text)
  if (/^(committed|released)\b/.test(text)) return style.green(text)
  if (/^\S+ asks: /.test(text)) return style.yellow(text)
  return /\b(failed|inconclusive|stopping|changes requested)\b/.test(text) ? style.red(text) : text
}

const nothing = (): Promise<void> => Promise.resolve()
