/** The messages to a worker and what became of each, from the events about it and its inbox items. */
import type { Request } from '../event-schemas/requests.ts'
import type { Message } from '../event-schemas/watch.ts'
import type { EventOf, PlanEvent } from '../events/plan-events.ts'
import type { Instant } from '../state/state.ts'
import { answerMessage, extensionMessage, nudgeMessage } from '../watch/requests/written-messages.ts'

export interface SentMessage {
  readonly message: Message
  readonly sentAt: Instant
  /** When the worker got it, and how. */
  readonly delivered: { readonly at: Instant; readonly via: string } | null
  /** When the worker took it itself, or its agent answered the prompt with it. */
  readonly readAt: Instant | null
}

interface Entry {
  readonly at: Instant
  readonly event: PlanEvent
}

/** `entries` may have other events too. Gives the same messages as the fold of the whole log. */
export function workerMessages(entries: readonly Entry[], worker: string): readonly SentMessage[] {
  const sent = new Map<number, SentMessage>()
  const change = (ids: readonly number[], to: Partial<SentMessage>): void => {
    for (const id of ids) {
      const known = sent.get(id)
      if (known !== undefined) sent.set(id, { ...known, ...to })
    }
  }
  const known: Known = { worker, requests: new Map(), items: new Map(), isStopping: false }
  for (const { at, event } of entries) {
    const message = messageOf(event, known)
    const id = sent.size + 1
    if (message !== null)
      sent.set(id, { message: { ...message, id }, sentAt: at, delivered: null, readAt: null })
    note(event, known)
    if (event.type === 'worker.heard' && event.worker === worker) {
      const readAt = event.via === 'session' ? null : at
      change(event.messages, { delivered: { at, via: event.via }, readAt })
    } else if (event.type === 'message.read' && event.worker === worker) {
      change(event.messages, { readAt: at })
    }
  }
  return [...sent.values()]
}

/** What later events refer to. */
interface Known {
  readonly worker: string
  readonly requests: Map<string, Request>
  /** Items about the worker or about a request of it. */
  readonly items: Map<string, 'worker' | 'request'>
  /** A worker that is being stopped gets no more messages. */
  isStopping: boolean
}

function messageOf(event: PlanEvent, known: Known): Omit<Message, 'id'> | null {
  if (event.type === 'inbox.answered') {
    const isNudge = known.items.get(event.id) === 'worker' && event.choice === 'nudge'
    return isNudge && !known.isStopping ? nudgeMessage(event) : null
  }
  if (!('worker' in event) || event.worker !== known.worker) return null
  if (event.type === 'worker.told') return event.message
  if (event.type === 'time.granted') return extensionMessage(event)
  if (event.type === 'request.answered')
    return answerMessage(event.id, event.answer, known.requests.get(event.id))
  return null
}

function note(event: PlanEvent, known: Known): void {
  if (event.type === 'inbox.opened') noteItem(event, known)
  else if (event.type === 'inbox.answered') known.isStopping ||= isStop(event, known)
  else if ('worker' in event && event.worker === known.worker) {
    if (event.type === 'request.received') known.requests.set(event.request.id, event.request)
    if (event.type === 'worker.condemned') known.isStopping = true
  }
}

function noteItem({ item: { id, subject, about } }: EventOf<'inbox.opened'>, known: Known): void {
  if (subject === 'worker' && about === known.worker) known.items.set(id, 'worker')
  if (subject === 'request' && known.requests.has(about ?? '')) known.items.set(id, 'request')
}

function isStop({ id, choice }: EventOf<'inbox.answered'>, { items }: Known): boolean {
  const about = items.get(id)
  return about !== undefined && (choice === 'restart' || (about === 'worker' && choice === 'kill'))
}
