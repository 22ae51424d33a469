/** The client for the daemon's HTTP API. */
import { Refusal, refusal } from '../lib/refusal.ts'
import type { DaemonFacts, EventMessage, StatusReading } from '../protocol/answers.ts'
import type { AnswerOf, BodyOf, QueryOf, RouteName } from '../protocol/routes.ts'
import { exchange, refusalIn, textOf, type DaemonAddress } from './exchange.ts'

const TIMEOUT_MS = 60_000
/** The event stream sends a keep-alive every 15 s. */
const SILENCE_MS = 45_000

type PathOf<
  N extends RouteName,
  Method extends string,
> = N extends `${Method} ${infer P extends `/api/${string}`}` ? P : never
export type ReadPath = PathOf<RouteName, 'GET'>
export type ChangePath = PathOf<RouteName, 'POST'>

/** The keys of the query of a route, and the `{id}` of its path. The daemon checks the values. */
export type Asked<P extends ReadPath> = {
  readonly [K in keyof QueryOf<`GET ${P}`>]?: string | number | undefined
} & (P extends `${string}{id}${string}` ? { readonly id: string } : unknown)

/** The keys of the body of a route. The daemon checks the values. */
export type Sent<P extends ChangePath> = Readonly<Partial<Record<keyof BodyOf<`POST ${P}`>, unknown>>>

export interface HowSent {
  /** `{id}` of the path. */
  readonly id?: string
  /** For slow calls. */
  readonly patienceMs?: number
  /** Hangs up. */
  readonly signal?: AbortSignal | undefined
}

/** What commands read may come from the database: then the status names no daemon. */
export type Read<P extends ReadPath> = P extends '/api/status' ? StatusReading : AnswerOf<`GET ${P}`>

export interface Daemon {
  readonly facts: DaemonFacts
  /** Throws the Refusal in the daemon's response. */
  get<P extends ReadPath>(path: P, asked?: Asked<P>): Promise<Read<P>>
  post<P extends ChangePath>(path: P, body: Sent<P>, how?: HowSent): Promise<AnswerOf<`POST ${P}`>>
  /**
   * Everything that happens after a place in the log. Reconnects without a gap; ends with the signal, or throws when the
   * daemon cannot be reached any more.
   */
  events(query: Asked<'/api/events'>, until: AbortSignal): AsyncGenerator<EventMessage>
}

/** Finds the daemon again after the connection was lost. */
export type FindAgain = () => Promise<DaemonAddress>

interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  /** Of a change: the same for each time that it is sent. */
  readonly key?: string
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** `silenceMs`: after this long without data a stream counts as lost. */
export function daemonAt(first: DaemonAddress, findAgain: FindAgain, silenceMs = SILENCE_MS): Daemon {
  let address = first

  const exchanged = async ({
    method,
    path,
    body,
    key,
    timeoutMs = TIMEOUT_MS,
    signal,
  }: Request): Promise<Answer> => {
    const { facts, token } = address
    const keyed: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key }
    const headers = { ...headersFor(token), ...(body === undefined ? {} : JSON_HEADERS), ...keyed }
    const hangUp = signal === undefined ? {} : { signal }
    const asked = { port: facts.port, method, path, headers, timeoutMs, ...hangUp }
    const answer = await exchange(body === undefined ? asked : { ...asked, body })
    return { status: answer.statusCode ?? 0, text: await textOf(answer) }
  }

  /** Repeated with the new daemon. A change has a key, by which the daemon knows whether it was made. */
  const again = async (asked: Request): Promise<Answer> => {
    address = await findAgain()
    return exchanged(asked).catch((error: unknown) => {
      throw lost(error)
    })
  }

  const ask = async <T>(asked: Request): Promise<T> => {
    const { status, text } = await exchanged(asked).catch(() => {
      asked.signal?.throwIfAborted()
      return again(asked)
    })
    if (status < 200 || status >= 300) throw refusalIn(text, status)
    // The daemon is of our own version and authenticated, so its answers need no check.
    return JSON.parse(text) as T
  }

  async function* events(query: Asked<'/api/events'>, until: AbortSignal): AsyncGenerator<EventMessage> {
    let { after } = query
    while (!until.aborted) {
      const { facts, token } = address
      try {
        const path = urlOf('/api/events', { ...query, after })
        const headers = headersFor(token)
        const asked = { port: facts.port, path, headers, timeoutMs: TIMEOUT_MS, signal: until }
        const answer = await exchange({ ...asked, method: 'GET' })
        if (answer.statusCode !== 200) throw refusalIn(await textOf(answer), answer.statusCode ?? 0)
        answer.setTimeout(silenceMs, () => answer.destroy(new Error('the event stream timed out')))
        for await (const message of messagesIn(answer)) {
          if (message.seq !== null) after = message.seq
          yield message
        }
      } catch (error) {
        if (until.aborted) return
        if (error instanceof Refusal) throw error
      }
      if (!until.aborted) address = await findAgain()
    }
  }

  return {
    get facts() {
      return address.facts
    },
    get: (path, asked) => ask({ method: 'GET', path: urlOf(path, { ...asked }) }),
    post: (path, body, { id, patienceMs = TIMEOUT_MS, signal } = {}) =>
      ask({
        method: 'POST',
        path: urlOf(path, { id }),
        body: JSON.stringify(body),
        key: newKey(),
        timeoutMs: patienceMs,
        signal,
      }),
    events,
  }
}

/** Loaded here, so that commands without a change do not load it. */
const newKey = (): string => process.getBuiltinModule('node:crypto').randomUUID()

const JSON_HEADERS = { 'Content-Type': 'application/json' } as const
const headersFor = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` })

/** `/api/plans/shop?repo=…`; values that are undefined are left out. */
export function urlOf(
  path: string,
  { id, ...query }: Readonly<Record<string, string | number | undefined>>,
): string {
  const whole = path.replace('{id}', () => idSegment(String(id ?? '')))
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  )
  return pairs.length === 0 ? whole : `${whole}?${pairs.join('&')}`
}

/** Refuses what the daemon's guard would refuse as a path, most often a file name. */
function idSegment(id: string): string {
  if (/^(?!\.{1,2}$)[^/\\\0]+$/.test(id)) return encodeURIComponent(id)
  throw refusal(
    'not_found',
    id === '' ? 'the id is empty' : `invalid id "${id}"`,
    'Use the id of a plan, worker or inbox item as `bosun status` shows it.',
  )
}

function lost(cause: unknown): Refusal {
  return refusal(
    'no_daemon',
    `lost the connection to the daemon: ${cause instanceof Error ? cause.message : String(cause)}`,
    'Run the command again; it restarts the daemon if needed.',
    cause,
  )
}

/** Far above the length of any message. */
const MAX_MESSAGE = 16 * 1024 * 1024

/** Reads the daemon's event stream (server-sent events, as our own server writes them). */
export async function* messagesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<EventMessage> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_MESSAGE) throw new Error('a message in the event stream is too long')
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const message = messageIn(text.slice(0, end))
      text = text.slice(end + 2)
      if (message !== null) yield message
    }
  }
}

/** Null for keep-alive comments and hints. */
function messageIn(block: string): EventMessage | null {
  const data = block
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
  return data.length === 0 ? null : (JSON.parse(data.join('\n')) as EventMessage)
}
