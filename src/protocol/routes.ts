/**
 * Every route of the HTTP API with the schemas of its query, body and answer. The daemon's handlers are called by this table
 * (src/server/routing.ts); `/openapi.json` is made from it when Bosun is built, and the page's client takes its types from it.
 */
import type { z } from 'zod'
import type { Frozen, Wire } from './answers.ts'
import { MACHINE_ROUTES } from './routes/machine.ts'
import { PEOPLE_ROUTES } from './routes/people.ts'
import { PLAN_ROUTES } from './routes/plans.ts'
import type { RouteTable } from './routes/route-document.ts'
import { WORKER_ROUTES } from './routes/workers.ts'

export type { Caller, RouteDocument } from './routes/route-document.ts'

/** By method and path; `{name}` is a segment of any value. */
export const ROUTES = {
  ...MACHINE_ROUTES,
  ...PLAN_ROUTES,
  ...WORKER_ROUTES,
  ...PEOPLE_ROUTES,
} as const satisfies RouteTable

export type Routes = typeof ROUTES
export type RouteName = keyof Routes

/** What a success answers; of an event stream, one message. */
export type AnswerOf<R extends RouteName> = Wire<Routes[R]['answer']>

/** What a request sends; `undefined` where it has no body. */
export type BodyOf<R extends RouteName> = Routes[R] extends { readonly body: infer S extends z.ZodType }
  ? Frozen<z.input<S>>
  : undefined

/** The query of a request by its keys; `undefined` where it has none. Numbers and texts are sent as text. */
export type QueryOf<R extends RouteName> = Routes[R] extends { readonly query: infer S extends z.ZodType }
  ? { readonly [K in keyof z.input<S>]: K extends keyof z.output<S> ? z.output<S>[K] | undefined : never }
  : undefined
