/**
 * Writes down what happens in a session: the transcript has all of it, as one line a piece; the journal has what Bosun acts
 * on, and of the text only the end of each second's.
 */
import { createHash } from 'node:crypto'
import { Redactor, type HiddenStream } from '../../../lib/text/redactor.ts'
import type { SessionEvent } from '../../../ports/agent.ts'
import type { TranscriptEntry, TranscriptKind } from '../../../ports/transcript.ts'
import type { JournalFact } from '../../worker-folder.ts'
import type { ToolCallPart } from './updates.ts'

type TextOf = Extract<SessionEvent, { kind: 'text' }>['of']

export interface LogTargets {
  readonly note: (fact: JournalFact) => void
  /** Appends one line. */
  readonly transcribe: (line: string) => void
  readonly now: () => number
  /** Takes the values of secrets out of all of it; without it none are held. */
  readonly hide?: Redactor | undefined
}

/** What the transcript shows of an entry. */
type Shown = Pick<TranscriptEntry, 'text'> & Partial<TranscriptEntry>

const FLUSH_MS = 1000
/** After so long without another piece, what may be the beginning of a secret is none. */
const QUIET_MS = 1000
const MAX_PIECE = 16 * 1024
const MAX_EXCERPT = 500
const MAX_OUTPUT_END = 8192
/** Entries of one kind in the journal, which Bosun reads as a whole; the transcript goes on. */
const MOST_ENTRIES = 20_000

export class SessionLog {
  readonly #to: LogTargets
  #piece: { of: TextOf; text: string } | null = null
  #excerpt: { of: TextOf; text: string } | null = null
  #timer: NodeJS.Timeout | undefined
  #quiet: NodeJS.Timeout | undefined
  #messageEnd = ''
  #isClosed = false
  readonly #entries = new Map<string, number>()
  readonly #hide: Redactor
  /** An agent's text comes in pieces, and a secret in it may be cut anywhere. */
  readonly #sources = new Map<TextOf, HiddenText>()

  constructor(to: LogTargets) {
    this.#to = to
    this.#hide = to.hide ?? new Redactor()
  }

  /** A text as it may be kept. Cut it afterwards. */
  hidden(text: string): string {
    return this.#hide.text(text)
  }

  /** The end of the agent's own messages in this turn. */
  get messageEnd(): string {
    // It is asked for when a turn is over, so what still waits is no beginning of anything.
    this.#take('message', this.#sources.get('message')?.end() ?? '')
    return this.#messageEnd
  }

  /** A new turn begins. */
  forget(): void {
    this.#messageEnd = ''
  }

  text(of: TextOf, text: string): void {
    if (text === '' || this.#isClosed) return
    const source = this.#sources.get(of) ?? new HiddenText(this.#hide)
    this.#sources.set(of, source)
    this.#take(of, source.add(text))
    this.#timer ??= setTimeout(() => this.#write(), FLUSH_MS)
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => this.flush(), QUIET_MS)
  }

  #take(of: TextOf, text: string): void {
    if (text === '') return
    if (of === 'message') this.#messageEnd = (this.#messageEnd + text).slice(-MAX_OUTPUT_END)
    if (this.#piece !== null && (this.#piece.of !== of || this.#piece.text.length > MAX_PIECE))
      this.#transcribe()
    this.#piece = { of, text: (this.#piece?.text ?? '') + text }
    this.#excerpt = {
      of,
      text: ((this.#excerpt?.of === of ? this.#excerpt.text : '') + text).slice(-MAX_EXCERPT),
    }
  }

  /** An entry of the journal, and of the transcript where that shows it. */
  fact(fact: JournalFact, shown?: Shown): void {
    if (this.#isClosed) return
    this.#settle()
    if (shown !== undefined) this.#line(fact.kind, shown)
    this.note(fact)
  }

  error(text: string): void {
    this.fact({ kind: 'error', text }, { text })
  }

  /** An entry of the journal alone. */
  note(fact: JournalFact): void {
    if (this.#isClosed) return
    const count = (this.#entries.get(fact.kind) ?? 0) + 1
    this.#entries.set(fact.kind, count)
    if (count < MOST_ENTRIES) this.#to.note(fact)
    else if (count === MOST_ENTRIES)
      this.#to.note({ kind: 'error', text: `more than ${MOST_ENTRIES} entries of ${fact.kind}` })
  }

  /** For the transcript alone. */
  remark(kind: TranscriptKind, shown: Shown): void {
    if (this.#isClosed) return
    this.#settle()
    this.#line(kind, shown)
  }

  /** Nothing is written after this: what still comes, comes from an agent that is being ended. */
  close(): void {
    this.flush()
    this.#isClosed = true
  }

  /** Writes all that came, the last characters too. */
  flush(): void {
    clearTimeout(this.#quiet)
    this.#release()
    this.#write()
  }

  #release(): void {
    for (const [of, source] of this.#sources) this.#take(of, source.end())
  }

  /** What was said stands before what follows it. */
  #settle(): void {
    this.#release()
    this.#transcribe()
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#transcribe()
    if (this.#excerpt !== null) this.#to.note({ kind: 'text', ...this.#excerpt })
    this.#excerpt = null
  }

  #transcribe(): void {
    if (this.#piece !== null) this.#line(this.#piece.of, { text: this.#piece.text })
    this.#piece = null
  }

  #line(kind: string, shown: Shown): void {
    this.#to.transcribe(JSON.stringify({ at: this.#to.now(), kind, ...this.#hide.inAll(shown) }))
  }
}

/** Text in pieces: the beginning of what may be a secret waits for the next one. */
class HiddenText {
  readonly #stream: HiddenStream
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  constructor(hide: Redactor) {
    this.#stream = hide.stream()
  }

  add(text: string): string {
    return this.#decoder.decode(this.#stream.add(new TextEncoder().encode(text)), { stream: true })
  }

  end(): string {
    return this.#decoder.decode(this.#stream.end())
  }
}

interface ToolCall {
  readonly part: ToolCallPart
  readonly isOpen: boolean
  /** How often its name or its arguments changed in the transcript. */
  readonly updates: number
}

/** Calls that are kept, the newest: an agent may start any number. */
const MOST_CALLS = 500
const MAX_SHOWN = 4000
/** Some agents send the arguments bit by bit; the end has them whole. */
const MOST_UPDATES = 3

/** The tool calls of a session, put together from their parts, and what of them goes into the log. */
export class ToolCalls {
  readonly #log: SessionLog
  readonly #calls = new Map<string, ToolCall>()
  #open = 0

  constructor(log: SessionLog) {
    this.#log = log
  }

  get hasOpen(): boolean {
    return this.#open > 0
  }

  find(id: string): ToolCallPart | null {
    return this.#calls.get(id)?.part ?? null
  }

  /** Whether the call began or ended with it. */
  take(part: ToolCallPart): 'began' | 'ended' | null {
    const before = this.#calls.get(part.toolCallId)
    const merged = before === undefined ? part : mergedParts(before.part, part)
    const isEnd = part.status === 'completed' || part.status === 'failed'
    const { toolCallId: id, status } = merged
    const [tool, title] = [merged.kind ?? '', merged.title ?? '']
    const detail = this.#shown(merged.rawInput)
    const text = `${tool} ${title}`.trim()
    if (before === undefined && !isEnd)
      this.#log.fact({ kind: 'tool_started', id, tool, title }, { call: id, text, detail })
    if (before?.isOpen === false && isEnd) return null
    const isUpdate =
      before?.isOpen === true && !isEnd && before.updates < MOST_UPDATES && isOther(before.part, merged)
    if (isUpdate) this.#log.remark('tool_updated', { call: id, text, detail })
    this.#keep(id, { part: merged, isOpen: !isEnd, updates: (before?.updates ?? 0) + Number(isUpdate) })
    if (!isEnd) return before === undefined ? 'began' : null
    const outcome = status === 'failed' ? 'failed' : 'completed'
    const call = callOf(merged)
    this.#log.fact(
      { kind: 'tool_ended', id, outcome, ...(call === null ? {} : { call }) },
      {
        call: id,
        text,
        outcome,
        detail: [detail ?? '', this.#outputOf(merged)].filter(Boolean).join('\n') || null,
      },
    )
    return 'ended'
  }

  /** The turn is over, and with it everything in it. */
  endAll(): void {
    for (const [id, { isOpen }] of this.#calls)
      if (isOpen)
        this.#log.fact(
          { kind: 'tool_ended', id, outcome: 'failed' },
          { call: id, text: '', outcome: 'failed' },
        )
    this.#calls.clear()
    this.#open = 0
  }

  #shown(value: unknown): string | null {
    const text = textOf(value)
    return text === null ? null : this.#log.hidden(text).slice(0, MAX_SHOWN)
  }

  #outputOf({ content }: ToolCallPart): string {
    const text = content.map((one) => ('path' in one ? `changes ${one.path}` : one.content.text)).join('\n')
    return this.#log.hidden(text).slice(0, MAX_SHOWN)
  }

  #keep(id: string, call: ToolCall): void {
    this.#drop(id)
    this.#calls.set(id, call)
    if (call.isOpen) this.#open++
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > MOST_CALLS && oldest !== undefined) this.#drop(oldest)
  }

  #drop(id: string): void {
    if (this.#calls.get(id)?.isOpen === true) this.#open--
    this.#calls.delete(id)
  }
}

const mergedParts = (before: ToolCallPart, now: ToolCallPart): ToolCallPart => ({
  toolCallId: before.toolCallId,
  title: now.title ?? before.title,
  kind: now.kind ?? before.kind,
  status: now.status ?? before.status,
  rawInput: hasFields(now.rawInput) ? now.rawInput : before.rawInput,
  locations: now.locations.length > 0 ? now.locations : before.locations,
  content: now.content.length > 0 ? now.content : before.content,
})

/** Whether a person would read something else of it. */
const isOther = (before: ToolCallPart, now: ToolCallPart): boolean =>
  before.title !== now.title ||
  before.kind !== now.kind ||
  textOf(before.rawInput)?.slice(0, MAX_SHOWN) !== textOf(now.rawInput)?.slice(0, MAX_SHOWN)

const hasFields = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null

/** The same for calls with the same arguments. A title alone says too little: many are just the name of the tool. */
function callOf({ kind, rawInput }: ToolCallPart): string | null {
  if (!hasFields(rawInput)) return null
  return createHash('sha256')
    .update(`${kind} ${JSON.stringify(rawInput)}`)
    .digest('hex')
    .slice(0, 16)
}

function textOf(value: unknown): string | null {
  if (!hasFields(value)) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
