/**
 * Calls of the daemon by the name of their route: paths, queries, bodies and answers are checked against the one table of
 * routes, of which only the types are used here.
 */
import type { AnswerOf, BodyOf, QueryOf, RouteName } from '../../../src/protocol/routes.ts'
import { get, post } from './client.ts'

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
