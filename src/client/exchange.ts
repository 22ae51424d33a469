/** The files in the state root by which commands find a running daemon, and one request to it with its answer. */
import { join } from 'node:path'
import { readRegular } from '../lib/files/read-if-exists.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../lib/refusal.ts'

export interface DaemonAddress {
  readonly facts: DaemonFacts
  readonly token: string
}

export const addressFile = (root: string): string => join(root, 'daemon.json')

/** The recorded address, whether the daemon still runs or not; null without one or without a readable token. */
export async function readAddress(root: string): Promise<DaemonAddress | null> {
  const [facts, token] = await Promise.all([readFacts(root), readToken(root)])
  return facts === null || token === null ? null : { facts, token }
}

/** The recorded facts of a daemon, whether it can be reached or not. */
export async function readFacts(root: string): Promise<DaemonFacts | null> {
  const json = await read(addressFile(root))
  return json === null ? null : factsIn(json)
}

export const tokenFile = (root: string): string => join(root, 'token')

async function readToken(root: string): Promise<string | null> {
  const token = (await read(tokenFile(root)))?.trim() ?? ''
  return /^[0-9a-f]{64}$/.test(token) ? token : null
}

async function read(path: string): Promise<string | null> {
  try {
    return await readRegular(path)
  } catch {
    // Missing or unreadable: there is no daemon to talk to.
    return null
  }
}

/** The file is written atomically; one in another format counts as missing. */
function factsIn(json: string): DaemonFacts | null {
  try {
    const facts = JSON.parse(json) as Partial<DaemonFacts> | null
    const isOurs =
      typeof facts?.port === 'number' && typeof facts.pid === 'number' && typeof facts.version === 'string'
    return isOurs ? (facts as DaemonFacts) : null
  } catch {
    return null
  }
}

/** How long a command waits for a daemon that it stops to exit; a daemon that stops gives up on its parts before that. */
export const STOP_TIMEOUT_MS = 60_000

/** One request to the daemon and its answer. */
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

/** As sent: its faults are called problems there. */
type SentError = Pick<Refusal, 'code' | 'message' | 'remedy'> & { readonly problems?: Refusal['faults'] }

/** The refusal in the daemon's response. */
export function refusalIn(text: string, status: number): Refusal {
  try {
    const { error } = JSON.parse(text) as { readonly error: SentError }
    return new Refusal({ ...error, faults: error.problems ?? [] })
  } catch (cause) {
    const message = `the daemon responded with ${status} and no further details`
    return new Refusal({ code: 'failed', message, remedy: 'See daemon.log in the state root.', cause })
  }
}
