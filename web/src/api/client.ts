/** How the page calls the daemon: with its session, and with a key for each change so that a repeated call counts once. */
import { currentSession, forgetSession } from './session.ts'
import type { Wire } from '../../../src/protocol/answers.ts'
import type { errorAnswer } from '../../../src/protocol/error-answer.ts'
import type { AnswerOf, BodyOf, QueryOf, RouteName } from '../../../src/protocol/routes.ts'

type Refused = Wire<typeof errorAnswer>['error']

/** One of several things that are wrong with a document, and where. */
export type Problem = NonNullable<Refused['problems']>[number]

/** An answer of the daemon that is no success. `status` is 0 where it did not answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly remedy: string
  readonly details: Refused['details'] | null
  readonly problems: readonly Problem[]

  constructor(fields: {
    readonly status: number
    readonly code: string
    readonly message: string
    readonly remedy: string
    readonly details?: Refused['details']
    readonly problems?: Refused['problems']
  }) {
    super(fields.message)
    this.status = fields.status
    this.code = fields.code
    this.remedy = fields.remedy
    this.details = fields.details ?? null
    this.problems = fields.problems ?? []
  }
}

/** What another person answered first; null for a refusal that is about something else. */
export const theirAnswer = ({ details }: ApiError) =>
  details !== null && details !== undefined && 'choice' in details.theirs ? details.theirs : null

/** Refusals that pass by themselves, or once a person has mended what they name. */
const PASSING: ReadonlySet<number> = new Set([408, 422, 425, 429])

/** Whether asking again may help. A refusal of what was asked for stays one. */
export const isWorthRetrying = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status < 400 || error.status >= 500 || PASSING.has(error.status)

/** Whether what was asked for does not exist. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

/** `/api/plans/x/graph?repo=…`; values that are undefined or null are left out. */
export function pathWith(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}

export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return (await call(pathWith(path, query), {
    method: 'GET',
    ...(signal === undefined ? {} : { signal }),
  })) as T
}

/** `key` is the caller's, where one change may be sent again; else every call is a change of its own. */
export async function post<T>(path: string, body: object, key: string = crypto.randomUUID()): Promise<T> {
  return (await call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  })) as T
}

interface CallInit extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>
}

async function call(path: string, init: CallInit): Promise<unknown> {
  const session = currentSession()
  let response: Response
  try {
    response = await fetch(path, {
      ...init,
      headers: { ...init.headers, ...(session === null ? {} : { Authorization: `Bearer ${session}` }) },
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError({
      status: 0,
      code: 'offline',
      message: 'Bosun does not answer.',
      remedy: 'It may be restarting; this page retries. To start it again: bosun resume',
    })
  }
  // Undefined for what is not JSON.
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok) return body
  if (response.status === 401 && session !== null) forgetSession(session)
  throw errorFrom(response.status, body)
}

/** From the body of a refusal; what is not from the daemon, such as a proxy's page, gets a message of its own. */
function errorFrom(status: number, body: unknown): ApiError {
  const { error } = (body ?? {}) as { readonly error?: Refused }
  const unknown = {
    code: 'failed',
    message: `Bosun answered ${status}.`,
    remedy: 'Retry; details are in daemon.log in the state root.',
  }
  return new ApiError({ status, ...(error ?? unknown) })
}

/**
 * Calls of the daemon by the name of their route: paths, queries, bodies and answers are checked against the one table of
 * routes, of which only the types are used here.
 */
export type { AnswerOf, BodyOf, QueryOf, RouteName }

export type ReadRoute = Extract<RouteName, `GET /api/${string}`>
export type ChangeRoute = Extract<RouteName, `POST /api/${string}`>

type Segments<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Segments<Rest>
  : never

/** A value for each `{name}` in the path of a route. */
export type ParamsOf<R extends RouteName> = Readonly<Record<Segments<R>, string>>

/** Undefined keys are not sent. */
type Sent<Q> = Q extends undefined ? Readonly<Record<string, never>> : Q

export type SentQuery<R extends RouteName> = Sent<QueryOf<R>>

/** `/api/plans/shop/graph` */
export function pathOf<R extends RouteName>(route: R, params: ParamsOf<R>): string {
  const values: Readonly<Record<string, string>> = params
  const path = route.slice(route.indexOf(' ') + 1)
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

export function read<R extends ReadRoute>(
  route: R,
  params: ParamsOf<R>,
  query: SentQuery<R>,
  signal?: AbortSignal,
): Promise<AnswerOf<R>> {
  return get<AnswerOf<R>>(pathOf(route, params), { ...query }, signal)
}

/** `key` is the caller's, where one change may be sent again. */
export function send<R extends ChangeRoute>(
  route: R,
  params: ParamsOf<R>,
  body: BodyOf<R> & object,
  key?: string,
): Promise<AnswerOf<R>> {
  return post<AnswerOf<R>>(pathOf(route, params), body, key)
}
