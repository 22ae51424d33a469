/** What the table of routes says of one route, and the lists that several routes answer. */
import { z } from 'zod'
import { interviewRow, planRow, taskRow, workerRow } from '../answers.ts'
import { pageFields } from '../requests.ts'
import { inboxEntry } from '../rows.ts'

/** Who may call it: with the user's token or a page session, with the token alone, as the worker itself, or anybody. */
export type Caller = 'user' | 'token' | 'worker' | 'anybody'

export interface RouteDocument {
  readonly summary: string
  /** `user` where it is absent. */
  readonly caller?: Exclude<Caller, 'user'>
  readonly query?: z.ZodType | undefined
  readonly body?: z.ZodType
  /** Of a success; of an event stream, one message. */
  readonly answer: z.ZodType
  /** Of a success, where it is not 200. */
  readonly status?: number
  /** Of the answer, where it is not JSON. */
  readonly content?: string
}

/** A route that changes nothing. */
export const reads = <A extends z.ZodType, Q extends z.ZodType | undefined = undefined>(
  summary: string,
  answer: A,
  query?: Q,
) => ({ summary, answer, query: query as Q })

export const changes = <B extends z.ZodType, A extends z.ZodType>(summary: string, body: B, answer: A) => ({
  summary,
  body,
  answer,
})

export type RouteTable = Readonly<Record<string, RouteDocument>>

/** Lists, whole or a page at a time: `next` and `total` are there when the request has a `limit`. */
const paged = { next: pageFields.next.optional(), total: pageFields.total.optional() }

export const plansAnswer = z.strictObject({ plans: z.array(planRow), ...paged })
export const tasksAnswer = z.strictObject({ tasks: z.array(taskRow), ...paged })
export const workersAnswer = z.strictObject({ workers: z.array(workerRow), ...paged })
/** With the interviews that are open. */
export const inboxAnswer = z.strictObject({
  inbox: z.array(inboxEntry),
  interviews: z.array(interviewRow),
  ...paged,
})
