/** The tool calls of a session, put together from their parts, and what of them goes into the log. */
import { createHash } from 'node:crypto'
import type { SessionLog } from './session-log.ts'
import type { ToolCallPart } from './updates.ts'

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
    const { toolCallId: id, title, kind, status } = merged
    const input = shown(merged.rawInput)
    const started = { kind: 'tool_started', id, tool: kind ?? '', title: title ?? '' } as const
    if (before === undefined && !isEnd) this.#log.fact(started, input === null ? {} : { input })
    if (before?.isOpen === false && isEnd) return null
    const isUpdate =
      before?.isOpen === true && !isEnd && before.updates < MOST_UPDATES && isOther(before.part, merged)
    if (isUpdate) this.#log.remark('tool_updated', { id, tool: kind ?? '', title: title ?? '', input })
    this.#keep(id, { part: merged, isOpen: !isEnd, updates: (before?.updates ?? 0) + Number(isUpdate) })
    if (!isEnd) return before === undefined ? 'began' : null
    const outcome = status === 'failed' ? 'failed' : 'completed'
    const call = callOf(merged)
    this.#log.fact(
      { kind: 'tool_ended', id, outcome, ...(call === null ? {} : { call }) },
      { tool: kind, title, input, output: outputOf(merged) },
    )
    return 'ended'
  }

  /** The turn is over, and with it everything in it. */
  endAll(): void {
    for (const [id, { isOpen }] of this.#calls)
      if (isOpen) this.#log.fact({ kind: 'tool_ended', id, outcome: 'failed' })
    this.#calls.clear()
    this.#open = 0
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
  before.title !== now.title || before.kind !== now.kind || shown(before.rawInput) !== shown(now.rawInput)

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

function shown(value: unknown): string | null {
  if (!hasFields(value)) return null
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_SHOWN)
}

const outputOf = ({ content }: ToolCallPart): string =>
  content
    .map((one) => ('path' in one ? `changes ${one.path}` : one.content.text))
    .join('\n')
    .slice(0, MAX_SHOWN)
