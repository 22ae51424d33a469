/** Puts an answer on the wire, whole or in pieces, to its end or not. */
import type { ServerResponse } from 'node:http'
import { overloaded, type ReplyStep } from './script.ts'
import type { Reply, StreamEvent, Wire } from './wires/wire.ts'

export function sendJson(
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(JSON.stringify(body))
}

export function sendWhole(outgoing: ServerResponse, body: unknown, ending: ReplyStep['ending']): void {
  if (ending === 'complete') return sendJson(outgoing, 200, body)
  const text = JSON.stringify(body)
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  outgoing.write(text.slice(0, text.length / 2))
  if (ending !== 'hang') cut(outgoing)
}

interface Streamed {
  readonly wire: Wire
  readonly reply: Reply
  readonly ending: ReplyStep['ending']
  /** Gemini streams the elements of an array where it is not asked for events. */
  readonly framing: 'sse' | 'array'
}

export function sendStream(outgoing: ServerResponse, { wire, reply, ending, framing }: Streamed): void {
  const events = wire.stream(reply)
  const format = framing === 'sse' ? asServerSentEvent : asArrayElement
  outgoing.writeHead(200, {
    'content-type': framing === 'sse' ? 'text/event-stream' : 'application/json',
    'cache-control': 'no-cache',
  })
  const sent = ending === 'complete' ? events : events.slice(0, Math.ceil(events.length / 2))
  for (const [at, event] of sent.entries()) outgoing.write(format(event, at))
  switch (ending) {
    case 'complete':
      outgoing.end(framing === 'sse' ? '' : ']')
      break
    case 'error':
      outgoing.end(format(wire.errorEvent(overloaded(), Date.now()), sent.length))
      break
    case 'cut':
      cut(outgoing)
      break
    case 'hang':
      break
  }
}

function asServerSentEvent({ event, data }: StreamEvent): string {
  const name = event === null ? '' : `event: ${event}\n`
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

const asArrayElement = ({ data }: StreamEvent, at: number): string =>
  `${at === 0 ? '[' : ',\r\n'}${JSON.stringify(data)}`

/** What was written reaches the client; the end does not. */
function cut(outgoing: ServerResponse): void {
  outgoing.write(' ', () => outgoing.destroy())
}
