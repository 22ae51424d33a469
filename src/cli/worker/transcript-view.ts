/**
 * Renders what a worker wrote and did, safe for the terminal. An agent's text is recorded in pieces, cut by time and
 * also within a word: neighbouring pieces are printed as one text.
 */
import { localTimeOfDay } from '../../lib/system/local-time.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { TranscriptLine } from '../../protocol/transcript-answer.ts'
import type { Style } from '../terminal/terminal.ts'

/** Lines of a brief, of an earlier session or of a tool's output; `--json` has all of them. */
const MOST_LINES = 12

type TextKind = 'message' | 'thought'

export class TranscriptWriter {
  readonly #style: Style
  /** The text that goes on with the next piece, and line ends that are printed only if more follows them. */
  #open: { readonly kind: TextKind; ends: string } | null = null

  constructor(style: Style) {
    this.#style = style
  }

  /** What to print for the next entry. */
  write(entry: TranscriptLine): string {
    const { kind, text } = entry
    if (kind === 'usage') return ''
    if (kind !== 'message' && kind !== 'thought') return this.end() + transcriptText(entry, this.#style)
    const more = terminalText(text)
    if (this.#open?.kind === kind) return this.#piece(this.#open, more)
    const ended = this.end()
    this.#open = { kind, ends: '' }
    const label = kind === 'message' ? `${this.#style.bold('agent')}  ` : this.#style.dim('thinks ')
    return `${ended}${timeOf(entry, this.#style)}${label}${this.#piece(this.#open, more.replace(/^\n+/, ''))}`
  }

  /** Ends the line of a text that nothing follows. */
  end(): string {
    const ended = this.#open === null ? '' : '\n'
    this.#open = null
    return ended
  }

  #piece(open: { readonly kind: TextKind; ends: string }, more: string): string {
    const whole = open.ends + more
    const shown = whole.replace(/\n+$/, '')
    open.ends = whole.slice(shown.length)
    const indented = shown.replace(/\n(?!\n)/g, '\n  ')
    return open.kind === 'message' ? indented : this.#style.dim(indented)
  }
}

const timeOf = ({ timestamp }: TranscriptLine, style: Style): string =>
  timestamp === null ? '' : `${style.dim(localTimeOfDay(new Date(timestamp)))} `

function transcriptText(entry: TranscriptLine, style: Style): string {
  const body = bodyOf(entry, style)
  if (body === null) return ''
  if (entry.kind === 'output') return body.endsWith('\n') ? body : `${body}\n`
  return `${timeOf(entry, style)}${body.replace(/\n+$/, '').replace(/\n(?!\n)/g, '\n  ')}\n`
}

/** Null for what tells people nothing. */
function bodyOf({ kind, text, outcome, detail }: TranscriptLine, style: Style): string | null {
  const line = terminalLine(text)
  switch (kind) {
    case 'prompt':
      return `${style.cyan('bosun')}  ${beginning(text)}`
    case 'replay':
      return style.dim(`before ${beginning(text)}`)
    case 'tool_started':
      return `tool   ${line}`
    case 'tool_ended': {
      const what = line === '' ? '' : ` ${line}`
      if (outcome !== 'failed') return style.dim(`       ${terminalLine(outcome ?? '')}${what}`)
      const shown = detail === null ? '' : `\n${beginning(detail)}`
      return `${style.red('failed')}${what}${shown}`
    }
    case 'permission_asked':
      return `${style.yellow('asks')}   ${line}: ${terminalLine(outcome ?? '')}${reason(detail)}`
    case 'permission_answered':
      return `${style.yellow('answer')} ${terminalLine(outcome ?? '')} ${line}`
    case 'plan':
      return `plan   ${terminalText(text)}`
    case 'session':
      return style.dim(`session ${line} ${terminalLine(outcome ?? '')}${reason(detail)}`)
    case 'error':
      return style.red(`error  ${terminalText(text)}`)
    case 'turn_ended':
      return style.dim(`turn ended: ${line}${reason(detail)}`)
    case 'output':
      return terminalText(text)
    case 'message':
    case 'thought':
    case 'usage':
    // The end of the call names it again.
    case 'tool_updated':
      return null
  }
}

const reason = (detail: string | null): string => (detail === null ? '' : ` (${terminalLine(detail)})`)

function beginning(text: string): string {
  const lines = terminalText(text).replace(/\n+$/, '').split('\n')
  if (lines.length <= MOST_LINES) return lines.join('\n')
  const rest = lines.length - MOST_LINES
  return [...lines.slice(0, MOST_LINES), `… ${rest} more lines (--json shows them)`].join('\n')
}
