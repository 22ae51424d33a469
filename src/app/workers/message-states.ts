/** What became of each message to a worker, by the log of its plan. */
import { fold } from '../../core/events/fold.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { Message } from '../../core/event-schemas/watch.ts'
import type { Instant, PlanState } from '../../core/state/state.ts'
import { deliveryTime } from '../../core/watch/message-delivery.ts'

export interface MessageState {
  readonly message: Message
  readonly sentAt: Instant
  /** When the worker got it, and how. */
  readonly delivered: { readonly at: Instant; readonly via: string } | null
  /** When the worker took it itself, or its agent answered the prompt with it. */
  readonly readAt: Instant | null
  /** Why it is not delivered; null where it is. */
  readonly why: string | null
}

/** How messages reach a worker; null for one that has ended. */
export type MessageChannel = 'session' | 'checkin' | null

interface Entry {
  readonly version: number
  readonly at: Instant
  readonly event: PlanEvent
}

/** `entries` is the whole log. */
export function messageStates(
  entries: readonly Entry[],
  { worker, channel }: { readonly worker: string; readonly channel: MessageChannel },
): readonly MessageState[] {
  const states = new Map<number, MessageState>()
  const change = (ids: readonly number[], to: Partial<MessageState>): void => {
    for (const id of ids) {
      const state = states.get(id)
      if (state !== undefined) states.set(id, { ...state, ...to })
    }
  }
  let plan: PlanState | null = null
  for (const entry of entries) {
    const { at, event } = entry
    plan = fold(plan, entry)
    for (const message of waitingFor(plan, worker))
      if (!states.has(message.id))
        states.set(message.id, {
          message,
          sentAt: at,
          delivered: null,
          readAt: null,
          why: waitsFor(message, channel),
        })
    if (!('worker' in event) || event.worker !== worker) continue
    if (event.type === 'worker.heard')
      change(event.messages, {
        delivered: { at, via: event.via },
        readAt: event.via === 'session' ? null : at,
        why: null,
      })
    else if (event.type === 'message.read') change(event.messages, { readAt: at })
  }
  return [...states.values()]
}

function waitingFor({ active }: PlanState, worker: string): readonly Message[] {
  for (const { live } of active) if (live?.worker === worker) return live.watch.waiting
  return []
}

function waitsFor(message: Message, channel: MessageChannel): string {
  if (channel === null) return 'the worker ended first'
  if (channel === 'checkin') return 'its agent takes messages with its check-ins only; it waits for the next'
  switch (deliveryTime(message)) {
    case 'at_once':
    case 'interrupts':
      return 'it is on its way'
    case 'after_turn':
      return "it waits for the end of the agent's turn"
    case 'with_next_turn':
      return 'a notice goes along with the next prompt'
  }
}
