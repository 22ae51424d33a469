/**
 * Decides which requests may pass, before anything else sees them: every web page the user has open and every program
 * they run can reach this port.
 */
import { sameSecret } from '../lib/system/daemon-proof.ts'

/** A request as received, before any library normalized it. */
export interface RawRequest {
  readonly method: string
  /** The request target of the request line. */
  readonly target: string
  /** By lower-case name; empty (and so never valid) if a header came more than once. */
  readonly headers: ReadonlyMap<string, string>
  /** Whether the program that sends it runs below a worker or a check. */
  readonly isFromWorker?: (() => boolean) | undefined
}

export interface GuardRules {
  readonly port: number
  readonly token: string
  /** Whether this is a page session, which may do what the user's token may, except for making codes for more of them. */
  readonly isSession?: ((token: string) => boolean) | undefined
  /** Whether this is the token of the worker's running attempt; null asks for any worker. */
  readonly isWorker: (worker: string | null, token: string) => boolean
  /** The worker whose attempt had this token and has ended, and now calls this path; null if there is none. */
  readonly endedWorker?: ((token: string, path: string) => string | null) | undefined
}

export interface Refused {
  readonly status: 400 | 401 | 403 | 405 | 411 | 413 | 415 | 417 | 421
  readonly message: string
  /** The one for the status when absent. */
  readonly remedy?: string
}

const MAX_TARGET = 8192
const MAX_BODY_BYTES = 256 * 1024
const PATHS_OF_PLANS: ReadonlySet<string> = new Set(['/api/plans', '/api/intake'])
/** Plans may be long, and grow when escaped as JSON. */
const MAX_PLAN_BYTES = 64 * 1024 * 1024
const INTERVIEW_ROUTE = /^\/api\/pm\//
/** Of specs. */
const MAX_INTERVIEW_BYTES = 1024 * 1024
/** What anybody may send. */
const MAX_CODE_BYTES = 1024
const TOKEN = /^Bearer ([0-9a-f]{64})$/
const JSON_TYPE = /^application\/json(; ?charset=utf-8)?$/i
const WORKER_ROUTE = /^\/api\/workers\/([a-z0-9-]{1,200})\/(checkins|reports|requests|instructions)$/
/** MCP for workers, where the token alone tells which one calls. */
export const MCP_ROUTE = '/mcp'
/** Exchanges the code of a link, which is its secret, for a page session. */
const SESSION_ROUTE = '/api/session'
/** For the user's token alone. */
const CODES_ROUTE = '/api/session/codes'
/** Everything else is the page. */
const DATA_ROUTE = /^\/(api|metrics|openapi\.json|mcp)(\/|$)/

/** Routes that take the token of a running attempt. */
export const isForWorkers = (path: string): boolean => path === MCP_ROUTE || WORKER_ROUTE.test(path)

/** Null for a request that may pass. */
export function refusal(request: RawRequest, rules: GuardRules): Refused | null {
  return (
    wrongTarget(request) ??
    wrongHost(request, rules) ??
    wrongOrigin(request, rules) ??
    wrongMethod(request) ??
    wrongBody(request) ??
    wrongToken(request, rules)
  )
}

/** Asks for a file of the page. They hold no data, so they need no token. */
export function isPageVisit(request: RawRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = pathOf(request)
  // The page has a screen at this address too; programs that read metrics do not navigate.
  return !DATA_ROUTE.test(path) || (path === '/metrics' && isNavigation(request))
}

/** A browser shows the answer as a document in a tab of its own, not in a frame. */
const isNavigation = ({ headers }: RawRequest): boolean =>
  headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'

/** Needs no token. */
export const isPublic = (request: RawRequest): boolean =>
  isPageVisit(request) || (request.method === 'POST' && pathOf(request) === SESSION_ROUTE)

/** From Node's raw headers: names and values in turn. */
export function headersOf(raw: readonly string[]): RawRequest['headers'] {
  const headers = new Map<string, string>()
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    headers.set(name, headers.has(name) ? '' : (raw[at + 1] ?? ''))
  }
  return headers
}

export function pathOf({ target }: RawRequest): string {
  const query = target.indexOf('?')
  return query === -1 ? target : target.slice(0, query)
}

/** Only `/path?query`, without anything ambiguous in the path. */
function wrongTarget(request: RawRequest): Refused | null {
  const path = pathOf(request)
  const isPlain =
    request.target.length <= MAX_TARGET &&
    /^\/[A-Za-z0-9._~:@!$&'()*+,;=%/-]*$/.test(path) &&
    !path.includes('//') &&
    !/(^|\/)\.{1,2}(\/|$)/.test(path) &&
    !/%(?![0-9a-f]{2})|%(00|2e|2f|5c)/i.test(path)
  return isPlain ? null : { status: 400, message: 'invalid request target' }
}

/** Against DNS rebinding: such a page still sends its own host name. */
function wrongHost(request: RawRequest, { port }: GuardRules): Refused | null {
  const host = request.headers.get('host')
  if (host === `127.0.0.1:${port}` || host === `localhost:${port}`) return null
  return { status: 421, message: 'invalid Host header' }
}

/** Other local ports may serve pages of agents, so the port must match too. Links from elsewhere to the page work. */
function wrongOrigin(request: RawRequest, { port }: GuardRules): Refused | null {
  const origin = request.headers.get('origin')
  const isOwn =
    origin === undefined || origin === `http://127.0.0.1:${port}` || origin === `http://localhost:${port}`
  const site = request.headers.get('sec-fetch-site')
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none'
  const isLink = isPageVisit(request) && isNavigation(request)
  return isOwn && (isOwnSite || isLink)
    ? null
    : { status: 403, message: 'cross-origin requests are not allowed' }
}

/** No CORS: a preflight is rejected like any unknown method. */
function wrongMethod({ method, headers }: RawRequest): Refused | null {
  if (headers.has('upgrade')) return { status: 400, message: 'Upgrade is not supported' }
  if (headers.has('expect')) return { status: 417, message: 'Expect is not supported' }
  const isKnown = method === 'GET' || method === 'HEAD' || method === 'POST'
  return isKnown ? null : { status: 405, message: `method ${method.slice(0, 20)} is not allowed` }
}

/** A page may send text/plain cross-origin without a preflight, but not JSON. */
function wrongBody(request: RawRequest): Refused | null {
  const length = request.headers.get('content-length')
  const isStreamed = request.headers.has('transfer-encoding')
  if (request.method !== 'POST') {
    const isEmpty = !isStreamed && (length === undefined || length === '0')
    return isEmpty ? null : { status: 400, message: 'only POST requests may have a body' }
  }
  const type = request.headers.get('content-type')
  if (type === undefined || !JSON_TYPE.test(type))
    return { status: 415, message: 'Content-Type must be application/json' }
  if (request.headers.has('content-encoding'))
    return { status: 415, message: 'Content-Encoding is not supported' }
  if (isStreamed || length === undefined || !/^\d{1,15}$/.test(length))
    return { status: 411, message: 'Content-Length is required' }
  const limit = bodyLimit(pathOf(request))
  return Number(length) <= limit ? null : { status: 413, message: `the body is larger than ${limit} bytes` }
}

function bodyLimit(path: string): number {
  if (PATHS_OF_PLANS.has(path)) return MAX_PLAN_BYTES
  if (INTERVIEW_ROUTE.test(path)) return MAX_INTERVIEW_BYTES
  return path === SESSION_ROUTE ? MAX_CODE_BYTES : MAX_BODY_BYTES
}

/** The token in this header; empty if there is none. */
export const tokenIn = (authorization: string | undefined): string =>
  TOKEN.exec(authorization ?? '')?.[1] ?? ''

/** Whether this header has this token. */
export const hasToken = (authorization: string | undefined, token: string): boolean =>
  sameSecret(tokenIn(authorization), token)

function wrongToken(request: RawRequest, rules: GuardRules): Refused | null {
  const path = pathOf(request)
  const token = tokenIn(request.headers.get('authorization'))
  const worker = path === MCP_ROUTE ? null : WORKER_ROUTE.exec(path)?.[1]
  if (worker === undefined && isPublic(request)) return isPageVisit(request) ? null : actingAsUser(request)
  const isKnown = worker === undefined ? isUser(path, token, rules) : rules.isWorker(worker, token)
  if (isKnown) return worker === undefined ? actingAsUser(request) : null
  const ended = worker === undefined || token === '' ? null : (rules.endedWorker?.(token, path) ?? null)
  if (ended !== null) return { status: 401, message: `attempt ${ended} has ended; exit now` }
  return { status: 401, message: 'the token is missing, invalid or expired' }
}

/** What a worker or a check starts is never the user, whatever token it has. */
const actingAsUser = (request: RawRequest): Refused | null =>
  request.isFromWorker?.() === true
    ? {
        status: 403,
        message: 'a program that runs below a worker or a check cannot act as the user',
        remedy: 'Workers report with their own token; what needs a person waits in the inbox.',
      }
    : null

function isUser(path: string, token: string, { token: own, isSession }: GuardRules): boolean {
  if (sameSecret(token, own)) return true
  return path !== CODES_ROUTE && token !== '' && isSession?.(token) === true
}
