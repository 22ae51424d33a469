/** Shows what happens while it happens: lines, a block that is drawn anew, or one JSON object a line. */
import { terminalJson, terminalLine } from '../lib/terminal-text.ts'
import type { EventMessage } from '../protocol/answers.ts'
import { schemaOf, type Call } from './command.ts'
import { timeOfDay } from './durations.ts'
import { LiveBlock } from './live-block.ts'
import type { Style } from './terminal.ts'

export interface Follower {
  /** `unwanted` when nobody reads any more. */
  tell(message: EventMessage): Promise<'written' | 'unwanted'>
  /** Draws the block anew, where there is one. */
  refresh(): Promise<void>
  end(): Promise<void>
}

const EVERY_MS = 1000

/** `block` is what stands at the bottom of a terminal, as it is now. */
export function followerFor(call: Call, command: string, block: () => readonly string[]): Follower {
  if (call.json) return jsonFollower(call, command)
  return call.terminal.output === 'terminal' ? liveFollower(call, block) : plainFollower(call)
}

function jsonFollower({ terminal }: Call, command: string): Follower {
  return {
    async tell({ activity }) {
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
    async tell(message) {
      const line = lineOf(message, terminal.style)
      return line === null ? 'written' : terminal.print(`${line}\n`)
    },
    refresh: nothing,
    end: nothing,
  }
}

function liveFollower({ terminal }: Call, block: () => readonly string[]): Follower {
  const live = new LiveBlock(terminal)
  const refresh = async (): Promise<void> => void (await live.draw([], block()))
  // Times go on while nothing happens. A terminal that is gone is noticed when something does.
  const timer = setInterval(() => void refresh().catch(() => undefined), EVERY_MS)
  return {
    async tell(message) {
      const line = lineOf(message, terminal.style)
      return live.draw(line === null ? [] : [line], block())
    },
    refresh,
    async end() {
      clearInterval(timer)
      await live.clear()
    },
  }
}

/** Null for what only the machinery cares about. */
function lineOf({ timestamp, plan, task, text }: EventMessage, style: Style): string | null {
  if (text === null) return null
  const about = task === null ? (plan ?? '') : `${plan ?? ''} ${task}`
  const head = style.dim(`${timeOfDay(timestamp)} ${terminalLine(about)}:`)
  return `${head} ${paint(terminalLine(text), style)}`
}

/** What went wrong, what waits for a person and what has landed stand out. */
function paint(text: string, style: Style): string {
  if (/^\s*↳/.test(text)) return style.dim(text)
  if (/^(committed|released)\b/.test(text)) return style.green(text)
  if (/^\S+ asks: /.test(text)) return style.yellow(text)
  return /\b(failed|inconclusive|stopping|changes requested)\b/.test(text) ? style.red(text) : text
}

const nothing = (): Promise<void> => Promise.resolve()
