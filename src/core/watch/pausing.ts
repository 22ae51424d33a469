/**
 * A paused worker: a person had it stop and wait, so neither its silence nor its time limit counts until it goes on. A
 * pause by instruction begins when the worker has the instruction, and ends when it has the next one.
 */
import type { PlanEvent } from '../events/plan-events.ts'
import type { Message } from '../event-schemas/watch.ts'
import type { Instant, LiveWorker, Watch } from '../state/state.ts'
import { isPause, lastInstruction } from './message-delivery.ts'

/** How long it was paused so far, all in all. */
export const heldMsOf = ({ watch: { pause, heldMs } }: LiveWorker, now: Instant): number =>
  heldMs + (pause === null ? 0 : Math.max(0, now - pause.since))

export const pausedWatch = (pause: NonNullable<Watch['pause']>): Partial<Watch> => ({ pause })

/** Silence counts from now. */
export const resumedWatch = ({ pause, heldMs }: Watch, at: Instant): Partial<Watch> => ({
  pause: null,
  heldMs: heldMs + (pause === null ? 0 : Math.max(0, at - pause.since)),
  armedAt: at,
})

export interface Delivery {
  readonly messages: readonly number[]
  readonly via: Extract<PlanEvent, { type: 'worker.heard' }>['via']
}

/** The delivery of messages that wait for a worker, and the pause that begins or ends with it. */
export function deliveryEvents(
  task: string,
  live: LiveWorker,
  { messages, via }: Delivery,
): readonly PlanEvent[] {
  const about = { worker: live.worker, task, attempt: live.attempt }
  const delivered = live.watch.waiting.filter(({ id }) => messages.includes(id))
  const heard: PlanEvent = { type: 'worker.heard', v: 1, ...about, messages: [...messages], via }
  return [heard, ...pauseEvents(live, about, lastInstruction(delivered))]
}

function pauseEvents(
  { watch: { pause } }: LiveWorker,
  about: { readonly worker: string; readonly task: string; readonly attempt: number },
  instruction: Message | null,
): readonly PlanEvent[] {
  if (instruction === null || isPause(instruction) === (pause !== null)) return []
  const { by, text } = instruction
  return isPause(instruction)
    ? [{ type: 'worker.paused', v: 1, ...about, by, why: text }]
    : [{ type: 'worker.resumed', v: 1, ...about, by }]
}
