/** What each wire format has to say about requests, replies and failures. */
import type { ToolCall } from '../choose-tool.ts'
import type { ModelRequest, WireName } from '../request.ts'
import type { FailStep, Usage } from '../script.ts'

/** What the address of a request says about it. */
export interface Address {
  readonly lane: string
  /** Of the path, where the wire has it there. */
  readonly model: string
  readonly isStream: boolean
}

export interface Reply {
  readonly id: string
  readonly model: string
  readonly thought: string
  readonly text: string
  readonly calls: readonly (ToolCall & { readonly id: string })[]
  readonly usage: Usage
}

export interface StreamEvent {
  readonly event: string | null
  /** A text is sent as it is. */
  readonly data: unknown
}

export interface HttpFailure {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Wire {
  readonly name: WireName
  /** Throws for a body that is none of this wire. */
  readonly parse: (body: unknown, address: Address) => ModelRequest
  readonly whole: (reply: Reply) => unknown
  readonly stream: (reply: Reply) => readonly StreamEvent[]
  readonly failure: (step: FailStep, now: number) => HttpFailure
  /** The same failure after the stream has begun. */
  readonly errorEvent: (step: FailStep, now: number) => StreamEvent
}

const MOST_PIECES = 40

/** A text as it comes when it is streamed. */
export function pieces(text: string): readonly string[] {
  const points = Array.from(text)
  const size = Math.max(16, Math.ceil(points.length / MOST_PIECES))
  return Array.from({ length: Math.ceil(points.length / size) }, (_, at) =>
    points.slice(at * size, (at + 1) * size).join(''),
  )
}

export const inputText = ({ input }: ToolCall): string =>
  typeof input === 'string' ? input : JSON.stringify(input)

export const secondsOf = (ms: number): number => Math.ceil(ms / 1000)

/** `2h0m0s`, as OpenAI writes it. */
export function goDuration(ms: number): string {
  const seconds = secondsOf(ms)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const head = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : ''
  return `${head}${seconds % 60}s`
}
