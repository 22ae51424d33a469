/** `bosun worker log ID`: what a worker wrote and did, once or while it continues. */
import { setTimeout as delay } from 'node:timers/promises'
import type { TranscriptAnswer, TranscriptLine } from '../../protocol/worker-views.ts'
import { repoHere } from '../caller.ts'
import { jsonLine, resultOf, type Call, type CommandResult } from '../command.ts'
import { openReading } from '../reading.ts'
import type { Reading } from '../services.ts'
import { atMost } from '../text.ts'
import { localTimeOfDay } from '../../lib/system/local-time.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'

const LOOK_MS = 500

export async function workerLog(call: Call, id: string): Promise<CommandResult> {
  return call.flag('follow') ? follow(call, id) : once(call, id)
}

async function once(call: Call, id: string): Promise<CommandResult> {
  await using from = await openReading(call)
  const repo = await repoHere(call)
  const entries: TranscriptLine[] = []
  let page = await pageAfter(from, { id, repo, after: undefined })
  entries.push(...page.entries)
  while (page.has_more) {
    page = await pageAfter(from, { id, repo, after: page.next })
    entries.push(...page.entries)
  }
  if (entries.length === 0 && !call.json) call.terminal.printMessage(`${id} has no output yet\n`)
  const { protocol, ended } = page
  return resultOf({ id, protocol, entries, ended }, (style) => {
    const writer = new TranscriptWriter(style)
    return entries.map((entry) => writer.write(entry)).join('') + writer.end()
  })
}

async function follow(call: Call, id: string): Promise<CommandResult> {
  const writer = new TranscriptWriter(call.terminal.style)
  try {
    return await printOn(call, id, writer)
  } finally {
    const end = writer.end()
    if (end !== '') await call.terminal.print(end)
  }
}

/** Until the worker has ended; the daemon may come and go meanwhile. */
async function printOn(call: Call, id: string, writer: TranscriptWriter): Promise<CommandResult> {
  const interrupted = call.services.interruption()
  const repo = await repoHere(call)
  let after: string | undefined
  let failures = 0
  for (;;) {
    if (interrupted.aborted) return DETACHED
    try {
      await using from = await openReading(call, after === undefined ? 'printed' : 'known')
      for (;;) {
        const page = await pageAfter(from, { id, repo, after })
        failures = 0
        after = page.next
        for (const entry of page.entries) {
          const line = call.json ? jsonLine('worker', { id, ...entry }) : writer.write(entry)
          if (line !== '' && (await call.terminal.print(line)) === 'unwanted') return DETACHED
        }
        if (page.ended) return ENDED
        if (!page.has_more) await delay(LOOK_MS, undefined, { signal: interrupted })
      }
    } catch (error) {
      if (interrupted.aborted) return DETACHED
      // The daemon may just be restarting; a worker that is unknown stays so.
      if (after === undefined || ++failures > MOST_FAILURES) throw error
      await delay(LOOK_MS)
    }
  }
}

const MOST_FAILURES = 20

const pageAfter = (
  from: Reading,
  asked: Readonly<Record<'repo' | 'after', string | undefined>> & { readonly id: string },
): Promise<TranscriptAnswer> => from.get('/api/workers/{id}/log', asked)

const ENDED = resultOf({ ended: true })
const DETACHED = resultOf({ ended: false }, '', 'interrupted')

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
  return atMost(MOST_LINES, lines, (left) => `… ${left} more lines (--json shows them)`).join('\n')
}
