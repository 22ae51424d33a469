/** Receives a worker's request and passes it to its plan, where the rules or a person answer it. */
import { askedRequestSchema, type AskedForm } from '../../core/watch/requests/asked-request.ts'
import { requestEvents, type Asked } from '../../engine/external-events.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { schemaProblem } from './schema-problem.ts'

export type ReceivedRequest =
  /** It is stored and will be answered. */
  | { readonly outcome: 'accepted'; readonly id: string }
  /** A repetition, or one too many. */
  | { readonly outcome: 'ignored'; readonly why: string }
  /** Invalid. */
  | { readonly outcome: 'refused'; readonly why: string }

export interface RequestInput {
  readonly type: string
  readonly text: string
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

/** The caller has authenticated the worker. */
export async function receiveRequest(
  worker: { readonly id: string; readonly plan: HostedPlan },
  { type, text, data = {} }: RequestInput,
): Promise<ReceivedRequest> {
  const { data: form, error } = askedRequestSchema.safeParse({ ...data, type, text })
  if (form === undefined) return { outcome: 'refused', why: schemaProblem(error, 'the request') }
  const asked = askedIn(form)
  let id: string | null = null
  const done = await worker.plan.proposeAsNow((state) => {
    const events = requestEvents(state, worker.id, asked)
    const first = typeof events === 'string' ? undefined : events[0]
    id = first?.type === 'request.received' ? first.request.id : null
    return events
  })
  if (!done.ok) return { outcome: 'ignored', why: done.why }
  return id === null
    ? { outcome: 'ignored', why: 'too many requests are open; wait for their answers' }
    : { outcome: 'accepted', id }
}

/** Texts that people read are on one line, without escape sequences. */
function askedIn({ type, text, minutes, tokens, to, priority, id }: AskedForm): Asked {
  return {
    kind: type,
    text: terminalLine(text.toWellFormed()).trim(),
    priority,
    ...(minutes === undefined ? {} : { minutes }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(to === undefined ? {} : { to: terminalLine(to.toWellFormed()).trim() || 'nobody' }),
    ...(id === undefined ? {} : { ref: id }),
  }
}
