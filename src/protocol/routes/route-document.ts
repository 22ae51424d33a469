/** What the table of routes says of one route. */
import type { z } from 'zod'

/** Who may call it: with the user's token or a page session, with the token alone, as the worker itself, or anybody. */
export type Caller = 'user' | 'token' | 'worker' | 'anybody'

export interface RouteDocument {
  readonly summary: string
  readonly caller: Caller
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Of a success; of an event stream, one message. */
  readonly answer: z.ZodType
  /** Of a success, where it is not 200. */
  readonly status?: number
  /** Of the answer, where it is not JSON. */
  readonly content?: string
}

export type RouteTable = Readonly<Record<string, RouteDocument>>
