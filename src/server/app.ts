/** The daemon's HTTP API: the guard, then the routes. It contains no rules of its own. */
import type { Host } from '../app/host/host.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import { answerError, SECURITY_HEADERS } from './answer-error.ts'
import { refusal, type GuardRules } from './guard.ts'
import { answerFrom, readingRoutes } from './reading-routes.ts'
import { daemonRoutes, metricsRoutes } from './routes/daemon.ts'
import { eventRoutes } from './routes/events.ts'
import { interviewRoutes } from './routes/interview.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { intakeRoutes } from './routes/intake.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { pageRoutes } from './routes/page.ts'
import { planRoutes } from './routes/plans.ts'
import { workerRoutes } from './routes/workers.ts'
import { Routes, type Answer, type HttpRequest } from './routing.ts'

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
}

export interface App {
  readonly routes: Routes['all']
  /** Never rejects: errors become answers. */
  answer(request: HttpRequest): Promise<Answer>
}

export function createApp(door: Door): App {
  const { host, token, facts, onError } = door
  const rules: GuardRules = {
    port: facts.port,
    token,
    isWorker: (worker, token) =>
      (worker === null ? host.workers.ofToken(token) : host.workers.withToken(worker, token)) !== null,
    endedWorker: (token, path) => {
      const ended = host.workers.endedWith(token)
      if (ended !== null) host.checkins.receiveStaleCall(ended, path)
      return ended?.id ?? null
    },
  }
  const routes = new Routes()
  pageRoutes(routes, door)
  metricsRoutes(routes, door)
  mcpRoutes(routes, door)
  const api = routes.under('/api')
  readingRoutes(api, door)
  planRoutes(api, door)
  inboxRoutes(api, door)
  intakeRoutes(api, door)
  interviewRoutes(api, door)
  eventRoutes(api, door)
  workerRoutes(api, door)
  daemonRoutes(api, door)
  return {
    routes: routes.all,
    answer: async (request) => {
      const refused = refusal(request, rules)
      if (refused === null) return guarded(await answerFrom(routes, request, onError))
      const { status, message } = refused
      const answer = answerError(status, { code: 'failed', message, remedy: REMEDY })
      return guarded(answer, status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {})
    },
  }
}

const REMEDY = 'Send `Authorization: Bearer` with the token of the state root, from this machine, as JSON.'

const guarded = (answer: Answer, more: Answer['headers'] = {}): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...SECURITY_HEADERS, ...more },
})
