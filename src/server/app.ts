/**
 * The daemon's HTTP API: the guard, then the routes; and how calls of the socket get there and answers back. It contains no
 * rules of its own. The routes are a good part of a daemon's code, so this is imported after the rest has started
 * (bench/recovery).
 */
import type { Host } from '../app/host/host.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import { answerError, SECURITY_HEADERS } from './answer-error.ts'
import { answerKeyed, takesKey } from './keyed-answers.ts'
import { isPageVisit, refusal, tokenIn, headersOf, type GuardRules, type Refused } from './guard.ts'
import { PageSessions } from './page/page-sessions.ts'
import { pageVisits } from './page/page-files.ts'
import { answerFrom, readingRoutes } from './reading-routes.ts'
import { machineRoutes } from './routes/machine.ts'
import { inboxRoutes, interviewRoutes } from './routes/people.ts'
import { planRoutes } from './routes/plans.ts'
import { sessionRoutes } from './routes/session.ts'
import { channelRoutes, workerRoutes } from './routes/workers.ts'
import type { Answer, Handlers, HttpRequest } from './routing.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import { originFrom, senderOf } from './sender.ts'
import type { Respond } from './listen.ts'

export interface Door {
  readonly host: Host
  readonly token: string
  readonly facts: DaemonFacts
  /** Stops the daemon once the response is on its way. */
  readonly stop: () => void
  /** Aborted when the daemon stops, which ends event streams. */
  readonly ending: AbortSignal
  readonly onError: (what: string, error: unknown) => void
  /** Restores the token file if needed. Never rejects. */
  readonly keepOwnToken?: (() => Promise<void>) | undefined
  /** Of the state root. */
  readonly sessions?: PageSessions | undefined
  /** The page's files; absent for those of this build. */
  readonly pageFolder?: string | undefined
}

export interface App {
  readonly handlers: Handlers
  /** Never rejects: errors become answers. */
  answer(request: HttpRequest): Promise<Answer>
}

export function createApp(door: Door): App {
  const { host, token, facts, onError } = door
  const { root, clock } = host.parts
  const sessions = door.sessions ?? new PageSessions({ root, token, now: () => clock.now(), onError })
  const rules: GuardRules = {
    port: facts.port,
    token,
    isSession: (session) => sessions.has(session),
    isWorker: (worker, token) =>
      (worker === null ? host.workers.ofToken(token) : host.workers.withToken(worker, token)) !== null,
    endedWorker: (token, path) => {
      const ended = host.workers.endedWith(token)
      if (ended !== null) host.checkins.noteStale(ended, 'call_stale', { path })
      return ended?.id ?? null
    },
  }
  const handlers: Handlers = {
    ...readingRoutes(door),
    ...planRoutes(door),
    ...inboxRoutes(door),
    ...interviewRoutes(door),
    ...workerRoutes(door),
    ...channelRoutes(door),
    ...sessionRoutes(door, sessions),
    ...machineRoutes(door, sessions),
  }
  const visit = pageVisits(door)
  const keyed = answerKeyed(door, (request) => answerFrom(handlers, request, onError))
  return {
    handlers,
    answer: async (request) => {
      const refused = refusal(request, rules)
      if (refused !== null) {
        const { status, message, remedy = GUARD_REMEDIES[status] } = refused
        const answer = answerError(status, { code: 'failed', message, remedy })
        const challenge = { 'WWW-Authenticate': 'Bearer' }
        return guarded(status === 401 ? { ...answer, headers: { ...answer.headers, ...challenge } } : answer)
      }
      if (isPageVisit(request)) return guarded(await visit(request))
      const asked = whileInSession(request, sessions)
      return guarded(takesKey(asked) ? await keyed(asked) : await answerFrom(handlers, asked, onError))
    },
  }
}

/** What streams to a page ends with its session. */
const whileInSession = (request: HttpRequest, sessions: PageSessions): HttpRequest => ({
  ...request,
  origin: () => {
    const seen = request.origin?.() ?? { via: 'unknown' }
    return sessions.has(tokenIn(request.headers.get('authorization'))) ? { ...seen, via: 'page' } : seen
  },
  gone: () => {
    const session = tokenIn(request.headers.get('authorization'))
    return sessions.has(session) ? AbortSignal.any([request.gone(), sessions.endOf(session)]) : request.gone()
  },
})

const guarded = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...SECURITY_HEADERS, ...answer.headers },
})

/** What to do about a request that the guard refuses. */
const GUARD_REMEDIES: Readonly<Record<Refused['status'], string>> = {
  400: 'Send the path as /openapi.json lists it, and a body with POST only.',
  401: 'Send `Authorization: Bearer` with the token of the state root, or open the page with: bosun open',
  403: 'Call it from the page that Bosun serves, or from a program that sends no Origin.',
  405: 'Use GET, HEAD or POST.',
  411: 'Send the whole body at once, with its Content-Length.',
  413: 'Send less: leave out logs and data, and name the files that hold them.',
  415: 'Send JSON as application/json, without an encoding.',
  417: 'Send it without Expect.',
  421: 'Call 127.0.0.1 or localhost, with the port of the daemon.',
}

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
    isFromWorker: () => senderOf(incoming.socket).isWorkers,
    origin: () => originFrom(senderOf(incoming.socket)),
    text: () => text(incoming),
    gone: () => {
      const gone = new AbortController()
      outgoing.once('close', () => gone.abort())
      return gone.signal
    },
  }
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
  if (isHead) {
    await body.return(undefined)
    outgoing.end()
    return
  }
  // The next block is taken only when the previous one was; a caller that hangs up is no error.
  await pipeline(body, outgoing).catch((error: unknown) => {
    if (!outgoing.destroyed) throw error
  })
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
  incoming.resume()
  await finished(incoming, { signal: AbortSignal.timeout(DROP_MS) }).catch(() => undefined)
  outgoing.end()
}
