/** What a worker asks for, by whichever door: told to its plan once, where the rules or a person answer it. */
import type { z } from 'zod'
import { askedRequestSchema, type AskedForm } from '../../core/watch/requests/asked-request.ts'
import { requestEvents, type Asked } from '../../engine/external-events.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'

export type HeardRequest =
  /** It is durable, and will be answered. */
  | { readonly outcome: 'heard'; readonly id: string }
  /** It was asked already, or is one too many. */
  | { readonly outcome: 'ignored'; readonly why: string }
  /** It is no request. */
  | { readonly outcome: 'refused'; readonly why: string }

export interface RequestWords {
  readonly type: string
  readonly text: string
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

/** The worker has proven to be it. */
export async function receiveRequest(
  worker: { readonly id: string; readonly plan: HostedPlan },
  { type, text, data = {} }: RequestWords,
): Promise<HeardRequest> {
  const { data: form, error } = askedRequestSchema.safeParse({ ...data, type, text })
  if (form === undefined) return { outcome: 'refused', why: problemIn(error) }
  const asked = askedIn(form)
  let id: string | null = null
  const done = await worker.plan.proposeAsNow((state) => {
    const words = requestEvents(state, worker.id, asked)
    const first = typeof words === 'string' ? undefined : words[0]
    id = first?.type === 'request.received' ? first.request.id : null
    return words
  })
  if (!done.ok) return { outcome: 'ignored', why: done.why }
  return id === null
    ? { outcome: 'ignored', why: 'too many requests are open: wait for their answers' }
    : { outcome: 'heard', id }
}

/** What people read of it goes without escape sequences, on one line. */
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

function problemIn(error: z.ZodError): string {
  const [issue] = error.issues
  const key = issue?.path.join('.') ?? ''
  return terminalLine(`${key === '' ? 'the request' : key}: ${issue?.message ?? 'it is not as expected'}`)
}
