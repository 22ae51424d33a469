/** One request to the daemon and its answer. */
import type { IncomingMessage } from 'node:http'
import { Refusal, type Fault, type RefusalCode } from '../lib/refusal.ts'

export interface Exchange {
  readonly port: number
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** For the answer to begin. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** Resolves when the response begins; rejects without one. */
export function exchange(asked: Exchange): Promise<IncomingMessage> {
  // Imported here, so that commands without a daemon do not load it.
  const { request } = process.getBuiltinModule('node:http')
  return new Promise((resolve, reject) => {
    const { port, method, path, body, signal } = asked
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const headers = { ...asked.headers, ...length }
    const options = { host: '127.0.0.1', port, method, path, headers, agent: false }
    const call = request(signal === undefined ? options : { ...options, signal })
    call.setTimeout(asked.timeoutMs, () => call.destroy(new Error('the daemon is not responding')))
    call.on('response', (answer) => {
      call.setTimeout(0)
      resolve(answer)
    })
    call.on('error', reject)
    call.end(body)
  })
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

interface ErrorBody {
  readonly error: {
    readonly code: RefusalCode
    readonly message: string
    readonly remedy: string
    readonly problems?: readonly Fault[]
    readonly details?: Refusal['details']
  }
}

/** The refusal in the daemon's response. */
export function refusalIn(text: string, status: number): Refusal {
  try {
    const { code, message, remedy, problems, details } = (JSON.parse(text) as ErrorBody).error
    return new Refusal({ code, message, remedy, faults: problems ?? [], details: details ?? null })
  } catch (cause) {
    const message = `the daemon responded with ${status} and no further details`
    return new Refusal({ code: 'failed', message, remedy: 'See daemon.log in the state root.', cause })
  }
}
