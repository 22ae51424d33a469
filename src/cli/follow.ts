/** Prints events as they happen: as lines, above a live block, or as one JSON object per line. */
import {
  terminalLine,
  terminalText,
  terminalTextWithColours,
  cutText,
  textWidth,
} from '../lib/text/terminal-text.ts'
import type { EventMessage } from '../protocol/answers.ts'
import { jsonLine, type Call } from './command.ts'
import { shortPlan } from '../lib/text/counted.ts'
import { atMost } from './text.ts'
import { localTimeOfDay } from '../lib/system/local-time.ts'
import type { Style, Terminal } from './terminal/terminal.ts'
import type { PageNotice } from '../protocol/rows.ts'

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
  /** In whose name the lines of `--json` are printed; null where it prints none. */
  readonly command: 'run' | 'start' | 'watch' | null
  readonly block: () => readonly string[]
  /** Events of one plan: only the first line names it. */
  readonly isOnePlan: boolean
}

export function followerFor(call: Call, { command, block, isOnePlan }: Followed): Follower {
  const { terminal } = call
  const lines = linesFor(terminal.style, isOnePlan)
  if (!call.json && terminal.output === 'terminal') return liveFollower(call, block, lines)
  const textOf = (message: EventMessage): string => {
    if (call.json)
      return command === null ? '' : message.activity.map((line) => jsonLine(command, line)).join('')
    return lines(message)
      .map((line) => `${line}\n`)
      .join('')
  }
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

/** A block of lines at the bottom of a terminal, redrawn in place below permanent lines. */
const MOST_LINES = 18

export class LiveBlock {
  readonly #terminal: Terminal
  #drawn = 0

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Prints permanent lines above the block and redraws the block. */
  async draw(above: readonly string[], block: readonly string[]): Promise<'written' | 'unwanted'> {
    const { width } = this.#terminal
    const safe = (lines: readonly string[]): string =>
      lines.map((line) => `${terminalTextWithColours(fitted(line, width))}\n`).join('')
    const back = this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A`
    // A block taller than the terminal could not be redrawn in place.
    const shown = atMost(MOST_LINES, block, (left) => `  … ${left} more lines (bosun status)`)
    this.#drawn = shown.length
    return this.#terminal.print(`${back}\u001b[J${safe(above)}${safe(shown)}`)
  }

  /** Removes the block. */
  async clear(): Promise<void> {
    if (this.#drawn > 0) await this.#terminal.print(`\u001b[${this.#drawn}A\u001b[J`)
    this.#drawn = 0
  }
}

/** Cuts a line that would wrap; a cut line loses its colours. */
function fitted(line: string, width: number): string {
  const plain = terminalText(line)
  return textWidth(plain) < width ? line : cutText(plain, width - 1)
}

/** What to write to the terminal. */
export async function attachedNotice(env: Terminal['env'], { title, text }: PageNotice): Promise<string> {
  const { desktopProgram } = await import('../lib/process/find-program.ts')
  // On this desktop the daemon shows the text itself.
  const shownBy = desktopProgram(env) === null ? env : {}
  return notifySequence(shownBy, { title, text: text.replaceAll('\n', ' · ') })
}

type Env = Readonly<Record<string, string | undefined>>

const BELL = '\u0007'
const OSC = '\u001b]'
const END = '\u001b\\'
const MAX_TEXT = 200

/**
 * How a terminal is asked to notify the person at it: by a sequence that it knows, else by its bell. Terminals show
 * nothing where they do not know a sequence, so each is only sent what it is known to take.
 */
export function notifySequence(
  env: Env,
  { title, text }: { readonly title: string; readonly text: string },
): string {
  const sequence = sequenceOf(env, { title: plain(title), text: plain(text) })
  if (sequence === null) return BELL
  // tmux passes on what is wrapped, where `allow-passthrough` is on; and it marks the window for the bell.
  return (env['TMUX'] ?? '') === ''
    ? sequence
    : `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}${END}${BELL}`
}

function sequenceOf(
  env: Env,
  { title, text }: { readonly title: string; readonly text: string },
): string | null {
  const [term = '', program = ''] = [env['TERM'], env['TERM_PROGRAM']]
  const has = (name: string): boolean => (env[name] ?? '') !== ''
  // GNU screen passes none of them on.
  if (has('STY')) return null
  if (term === 'xterm-kitty' || has('KITTY_WINDOW_ID'))
    return `${OSC}99;i=bosun:d=0;${title}${END}${OSC}99;i=bosun:p=body;${text}${END}`
  if (/^(foot|rxvt|contour)/.test(term)) return `${OSC}777;notify;${title};${text}${END}`
  const isKnown = ['iTerm.app', 'WezTerm', 'ghostty'].includes(program) || env['LC_TERMINAL'] === 'iTerm2'
  if (isKnown || has('WEZTERM_PANE') || has('GHOSTTY_RESOURCES_DIR'))
    return `${OSC}9;${title}: ${text}${BELL}`
  return null
}

/** A semicolon would end a part. */
const plain = (text: string): string => terminalLine(text).replaceAll(';', ',').slice(0, MAX_TEXT)
