/** The daemon's HTTP API: the guard, then the routes. It contains no rules of its own. */
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Host } from '../app/host/host.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import { answerError, SECURITY_HEADERS } from './answer-error.ts'
import { headersOf, refusal, type GuardRules, type RawRequest } from './guard.ts'
import { answerErrors, readingRoutes } from './reading-routes.ts'
import { daemonRoutes, metricsRoutes } from './routes/daemon.ts'
import { eventRoutes } from './routes/events.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { pageRoutes } from './routes/page.ts'
import { planRoutes } from './routes/plans.ts'
import { workerRoutes } from './routes/workers.ts'

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

/** Undefined in tests, where a request has no socket. */
type DoorEnv = { readonly Bindings: Partial<HttpBindings> }
export type Routes = Hono<DoorEnv>

export function createApp(door: Door): Routes {
  const { host, token, facts } = door
  const rules: GuardRules = {
    port: facts.port,
    token,
    isWorker: (worker, token) =>
      (worker === null ? host.workers.ofToken(token) : host.workers.withToken(worker, token)) !== null,
  }
  const app: Routes = new Hono()
  app.use('*', async (c, next) => {
    const refused = refusal(rawRequest(c.req.raw, c.env?.incoming), rules)
    if (refused === null) await next()
    else c.res = answerError(refused.status, { code: 'failed', message: refused.message, remedy: REMEDY })
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.res.headers.set(name, value)
    if (refused?.status === 401) c.res.headers.set('WWW-Authenticate', 'Bearer')
  })
  pageRoutes(app, door)
  metricsRoutes(app, door)
  mcpRoutes(app, door)
  const api: Routes = new Hono()
  readingRoutes(api, door)
  planRoutes(api, door)
  inboxRoutes(api, door)
  eventRoutes(api, door)
  workerRoutes(api, door)
  daemonRoutes(api, door)
  app.route('/api', api)
  answerErrors(app, door.onError)
  return app
}

const REMEDY = 'Send `Authorization: Bearer` with the token of the state root, from this machine, as JSON.'

function rawRequest(request: Request, incoming: HttpBindings['incoming'] | undefined): RawRequest {
  if (incoming === undefined) {
    const { pathname, search, host } = new URL(request.url)
    const headers = new Map(request.headers)
    if (!headers.has('host')) headers.set('host', host)
    return { method: request.method, target: `${pathname}${search}`, headers }
  }
  const headers = headersOf(incoming.rawHeaders)
  return { method: incoming.method ?? '', target: incoming.url ?? '', headers }
}
