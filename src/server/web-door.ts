/**
 * Passes calls of the socket to the routes, and their answers back. The routes are a good part of a daemon's code, so this
 * is imported after the rest has started (bench/recovery).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createApp, type App, type Door } from './app.ts'
import { headersOf } from './guard.ts'
import type { Respond } from './listen.ts'
import type { Answer, HttpRequest } from './routing.ts'

/** How long the rest of a refused body is read. */
const DROP_MS = 500

export const webDoor = (door: Door): Respond => throughApp(createApp(door), door.onError)

export function throughApp({ answer }: Pick<App, 'answer'>, onError: Door['onError']): Respond {
  return (incoming, outgoing) => {
    const request = requestOf(incoming, outgoing)
    answer(request)
      .then((answered) => send(answered, incoming, outgoing))
      .catch((error: unknown) => {
        onError('a response', error)
        outgoing.destroy()
      })
  }
}

function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): HttpRequest {
  const { method = '', url: target = '' } = incoming
  return {
    method,
    target,
    headers: headersOf(incoming.rawHeaders),
    text: () => bodyOf(incoming),
    gone: () => {
      const gone = new AbortController()
      outgoing.once('close', () => gone.abort())
      return gone.signal
    },
  }
}

/** The guard has checked its length. */
export function bodyOf(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    incoming.on('error', reject)
  })
}

async function send(
  { status, headers, body }: Answer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
  const isHead = incoming.method === 'HEAD'
  if (typeof body === 'string' || body instanceof Uint8Array) {
    outgoing.setHeader('Content-Length', Buffer.byteLength(body))
    if (!incoming.complete && incoming.method === 'POST') return sendEarly(status, body, incoming, outgoing)
    outgoing.writeHead(status).end(isHead ? undefined : body)
    return
  }
  outgoing.writeHead(status)
  if (isHead) await body.return(undefined)
  else await stream(body, outgoing)
  outgoing.end()
}

/** Answers a call whose body no route has read. Its rest is dropped for a moment, so that the caller sees the answer. */
async function sendEarly(
  status: number,
  body: string | Uint8Array,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.setHeader('Connection', 'close')
  outgoing.writeHead(status).write(body)
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DROP_MS)
    incoming.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    incoming.resume()
  })
  outgoing.end()
}

/** Takes the next block only when the previous one was taken. */
async function stream(blocks: AsyncGenerator<string>, outgoing: ServerResponse): Promise<void> {
  for await (const block of blocks) {
    if (outgoing.destroyed) return
    if (!outgoing.write(block)) await drained(outgoing)
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done).off('close', done)
      resolve()
    }
    outgoing.once('drain', done).once('close', done)
    if (outgoing.destroyed) done()
  })
}
