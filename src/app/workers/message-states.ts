/** What became of each message to a worker, in words. */
import { workerMessages, type SentMessage } from '../../core/log/worker-messages.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { Instant } from '../../core/state/state.ts'
import { deliveryText, type DeliveryChannel } from '../../core/watch/message-delivery.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'

export interface MessageState extends SentMessage {
  /** Why it is not delivered; null where it is. */
  readonly why: string | null
}

/** Null for a worker that has ended. */
export type MessageChannel = DeliveryChannel | null

/** How messages reach a running worker now. */
export function deliveryChannel(
  { state, world }: Pick<HostedPlan, 'state' | 'world'>,
  { worker, task }: { readonly worker: string; readonly task: string },
): DeliveryChannel {
  const live = state.tasks.get(task)?.live
  if (live?.worker === worker && live.step === 'launching') return 'not_started'
  const channel = world.channelOf?.(worker) ?? 'checkin'
  return channel === 'session' && live?.worker === worker && live.watch.pause !== null ? 'paused' : channel
}

interface Entry {
  readonly at: Instant
  readonly event: PlanEvent
}

/** `entries` are those about the worker, and those about inbox items. */
export const messageStates = (
  entries: readonly Entry[],
  { worker, channel }: { readonly worker: string; readonly channel: MessageChannel },
): readonly MessageState[] =>
  workerMessages(entries, worker).map((sent) => ({
    ...sent,
    why: sent.delivered === null ? whyWaiting(sent, channel) : null,
  }))

const whyWaiting = ({ message }: SentMessage, channel: MessageChannel): string =>
  channel === null ? 'the worker ended first' : `queued, to be delivered ${deliveryText(message, channel)}`
