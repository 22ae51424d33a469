/**
 * Answers calls by the table of routes (src/protocol/routes.ts). A handler gets the query and the body as the schemas of its
 * route read them, and returns the answer.
 */
import type { z } from 'zod'
import type { Origin } from '../core/event-schemas/origin.ts'
import type { HostToRead } from '../app/host/host-to-read.ts'
import { usageRefusal } from '../lib/refusal.ts'
import { ROUTES, type AnswerOf, type RouteDocument, type RouteName, type Routes } from '../protocol/routes.ts'
import { pathOf, type RawRequest } from './guard.ts'

export interface HttpRequest extends RawRequest {
  /** The whole body; rejects if the caller hangs up before its end. */
  readonly text: () => Promise<string>
  /** Which process sends it, and how a decision in it came. */
  readonly origin?: (() => Origin) | undefined
  /** Aborted when the caller has hung up. */
  readonly gone: () => AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A stream is read as fast as the caller takes it, and closed when the caller is gone. */
  readonly body: string | Uint8Array | AsyncGenerator<string>
}

export type TextAnswer = Answer & { readonly body: string }

export const jsonAnswer = (value: unknown, status = 200): TextAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})

/** By the name of the route; `id` is the `{id}` of its path, empty where there is none. */
export type Handlers = { readonly [N in RouteName]?: (request: HttpRequest, id: string) => Promise<Answer> }

/** A call whose parts were read with the schemas of its route. */
export interface Call<N extends RouteName> {
  readonly request: HttpRequest
  readonly id: string
  readonly query: Routes[N] extends { readonly query: infer S extends z.ZodType } ? z.output<S> : undefined
  readonly body: Routes[N] extends { readonly body: infer S extends z.ZodType } ? z.output<S> : undefined
}

type JsonHandlers = {
  readonly [N in RouteName]?: (call: Call<N>) => AnswerOf<N> | Promise<AnswerOf<N>>
}

/** Handlers that return the answer itself. */
export function jsonHandlers(handlers: JsonHandlers): Handlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      async (request: HttpRequest, id: string): Promise<Answer> => {
        const route: RouteDocument = ROUTES[name as RouteName]
        const query = route.query === undefined ? undefined : readQuery(request, route.query)
        const body = route.body === undefined ? undefined : await readBody(request, route.body)
        // Each handler is called with what the schemas of its own route made.
        const answer = await (handler as (call: object) => unknown)({ request, id, query, body })
        return jsonAnswer(answer, route.status)
      },
    ]),
  )
}

/** What a route is about: its `{id}`, and the repository in the place of its path. */
export async function subjectOf<Asked extends { readonly repo?: string | undefined }>(
  host: Pick<HostToRead, 'repositoryAt'>,
  id: string,
  { repo, ...asked }: Asked,
) {
  return { ...asked, id, repository: await host.repositoryAt(repo) }
}

/** Null if there is no such route. HEAD is answered like GET. */
export function findHandler(handlers: Handlers, request: HttpRequest): (() => Promise<Answer>) | null {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const asked = `${method} ${pathOf(request)}`.split('/')
  for (const [name, handler] of Object.entries(handlers)) {
    const id = idIn(name.split('/'), asked)
    if (id !== null) return () => handler(request, id)
  }
  return null
}

/** What stands in the place of `{id}`; empty where the route has none, null where it is another route. */
function idIn(route: readonly string[], asked: readonly string[]): string | null {
  if (route.length !== asked.length) return null
  let id = ''
  for (const [at, segment] of route.entries()) {
    const given = asked[at] ?? ''
    if (segment === '{id}' && given !== '') id = decoded(given)
    else if (segment !== given) return null
  }
  return id
}

/** The guard has checked that every `%` begins an escape; bytes that are not UTF-8 stay as they are. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export function readQuery<S extends z.ZodType>({ target }: RawRequest, schema: S): z.output<S> {
  const at = target.indexOf('?')
  return checked(schema, Object.fromEntries(new URLSearchParams(at === -1 ? '' : target.slice(at))))
}

export async function readBody<S extends z.ZodType>(request: HttpRequest, schema: S): Promise<z.output<S>> {
  return checked(schema, await readJson(request))
}

/** Without a schema, for callers with checks of their own. The guard has checked content type and length. */
export async function readJson(request: HttpRequest): Promise<unknown> {
  const text = await request.text().catch((cause: unknown) => {
    // A caller that hangs up early does not get the response.
    throw usageRefusal('the body is incomplete', 'Send the whole body.', cause)
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw usageRefusal('the body is not JSON', 'Send one JSON object.', cause)
  }
}

function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  const key = issue?.path.join('.') ?? ''
  const message = `${key === '' ? 'the request' : key}: ${issue?.message ?? 'is invalid'}`
  throw usageRefusal(message, 'Correct the request.', error)
}
