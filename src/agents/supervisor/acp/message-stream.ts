/**
 * The messages of one agent, as the protocol's library takes them. What an agent sends is untrusted, so only what the
 * library can make sense of reaches it: answers to what was asked, and a bounded number of requests. Notifications are
 * handed out here, in order and before an answer that follows them.
 */
import type { Readable, Writable } from 'node:stream'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk/unstable'
import { isRecord, jsonIn, type Fields } from '../../../lib/text/json.ts'
import { readLines } from '../journal.ts'

export interface MessageHandlers {
  readonly onNotification: (method: string, params: unknown) => void
  /** A line that is not a message, or a response without a request. */
  readonly onRefused: (what: string) => void
}

/** Requests of the agent that may wait for an answer at once. */
const MOST_REQUESTS = 64
const MAX_METHOD = 200
const BUSY = { code: -32_000, message: 'too many requests at once' }

export function messageStream(
  ends: { readonly stdin: Writable; readonly stdout: Readable },
  handlers: MessageHandlers,
): Stream {
  const asked = new Set<string | number>()
  const requested = new Set<string | number>()
  const write = (message: unknown): Promise<void> =>
    new Promise((resolve, reject) => {
      ends.stdin.write(`${JSON.stringify(message)}\n`, (error) =>
        error === null || error === undefined ? resolve() : reject(error),
      )
    })
  let isOpen = true
  const readable = new ReadableStream<AnyMessage>({
    // The library cancels it where the agent stops reading; what else the agent prints does not matter then.
    cancel: () => {
      isOpen = false
    },
    start: (controller) => {
      const onLine = (line: string): void => {
        const message = jsonIn(line)
        // A banner or a warning that went to stdout.
        if (!isRecord(message)) return handlers.onRefused(line)
        const route = routeOf(message, { asked, requested })
        switch (route.to) {
          case 'notified':
            return handlers.onNotification(route.method, message['params'])
          case 'library':
            return controller.enqueue(message as AnyMessage)
          case 'busy':
            write({ jsonrpc: '2.0', id: route.id, error: BUSY }).catch(() => undefined)
            return handlers.onRefused(`${BUSY.message}: ${route.method}`)
          case 'nowhere':
            return handlers.onRefused(line)
        }
      }
      const close = (): void => {
        if (isOpen) controller.close()
        isOpen = false
      }
      readLines(ends.stdout, { onLine: (line) => isOpen && onLine(line), onTooLong: handlers.onRefused })
      ends.stdout.once('end', close)
      ends.stdout.once('close', close)
      ends.stdout.once('error', close)
    },
  })
  const writable = new WritableStream<AnyMessage>({
    write: async (message) => {
      if ('id' in message && message.id !== null) {
        if ('method' in message) asked.add(message.id)
        else requested.delete(message.id)
      }
      await write(message)
    },
  })
  return { readable, writable }
}

type Route =
  | { readonly to: 'notified'; readonly method: string }
  | { readonly to: 'library' | 'nowhere' }
  | { readonly to: 'busy'; readonly method: string; readonly id: string | number }

interface Open {
  readonly asked: Set<string | number>
  readonly requested: Set<string | number>
}

/** Where a message goes. An answer counts once, and a request under an id that is still open not again. */
function routeOf(message: Fields, { asked, requested }: Open): Route {
  const { method, id } = message
  const hasId = typeof id === 'string' || typeof id === 'number'
  if (typeof method === 'string') {
    if (method.length > MAX_METHOD) return { to: 'nowhere' }
    if (!('id' in message)) return { to: 'notified', method }
    if (!hasId || requested.has(id)) return { to: 'nowhere' }
    if (requested.size >= MOST_REQUESTS) return { to: 'busy', method, id }
    requested.add(id)
    return { to: 'library' }
  }
  const isAnswer = hasId && ('result' in message || isError(message['error']))
  return isAnswer && asked.delete(id) ? { to: 'library' } : { to: 'nowhere' }
}

const isError = (value: unknown): boolean =>
  isRecord(value) && typeof value['code'] === 'number' && typeof value['message'] === 'string'
