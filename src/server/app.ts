/** The daemon's HTTP API: the guard, then the routes. It contains no rules of its own. */
import type { Host } from '../app/host/host.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import { answerError, SECURITY_HEADERS } from './answer-error.ts'
import { answerKeyed, takesKey } from './keyed-answers.ts'
import { type GuardRules, isPageVisit, refusal, type Refused, tokenIn } from './guard.ts'
import { PageSessions } from './page/page-sessions.ts'
import { pageVisits } from './page/page-visits.ts'
import { answerFrom, readingRoutes } from './reading-routes.ts'
import { machineRoutes } from './routes/machine.ts'
import { inboxRoutes, interviewRoutes } from './routes/people.ts'
import { planRoutes } from './routes/plans.ts'
import { sessionRoutes } from './routes/session.ts'
import { channelRoutes, workerRoutes } from './routes/workers.ts'
import type { Answer, Handlers, HttpRequest } from './routing.ts'

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
      if (ended !== null) host.checkins.receiveStaleCall(ended, path)
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
        const { status, message } = refused
        const answer = answerError(status, { code: 'failed', message, remedy: GUARD_REMEDIES[status] })
        return guarded(answer, status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {})
      }
      if (isPageVisit(request)) {
        const { answer, headers } = await visit(request)
        return guarded(answer, headers)
      }
      const asked = whileInSession(request, sessions)
      return guarded(takesKey(asked) ? await keyed(asked) : await answerFrom(handlers, asked, onError))
    },
  }
}

/** What streams to a page ends with its session. */
const whileInSession = (request: HttpRequest, sessions: PageSessions): HttpRequest => ({
  ...request,
  gone: () => {
    const session = tokenIn(request.headers.get('authorization'))
    return sessions.has(session) ? AbortSignal.any([request.gone(), sessions.endOf(session)]) : request.gone()
  },
})

const guarded = (answer: Answer, more: Answer['headers'] = {}): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...SECURITY_HEADERS, ...more },
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
