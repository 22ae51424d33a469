/** Renders what was said and done by a worker, line by line, safe for the terminal. */
import { localTimeOfDay } from '../../lib/system/local-time.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { TranscriptLine } from '../../protocol/transcript-answer.ts'
import type { Style } from '../terminal/terminal.ts'

/** Lines of a brief, of an earlier session or of a tool's output; `--json` has all of them. */
const MOST_LINES = 12

export function transcriptText(entry: TranscriptLine, style: Style): string {
  const body = bodyOf(entry, style)
  if (body === null) return ''
  if (entry.kind === 'output') return body.endsWith('\n') ? body : `${body}\n`
  const at = entry.timestamp === null ? '' : `${style.dim(localTimeOfDay(new Date(entry.timestamp)))} `
  return `${at}${body.replace(/\n+$/, '').replace(/\n(?!\n)/g, '\n  ')}\n`
}

/** Null for what tells people nothing. */
function bodyOf({ kind, text, outcome, detail }: TranscriptLine, style: Style): string | null {
  const line = terminalLine(text)
  switch (kind) {
    case 'prompt':
      return `${style.cyan('bosun')}  ${beginning(text)}`
    case 'message':
      return `${style.bold('agent')}  ${terminalText(text)}`
    case 'thought':
      return style.dim(`thinks ${terminalText(text)}`)
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
    case 'usage':
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
