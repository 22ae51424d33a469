/** Messages that wait until their worker receives them. */
import type { Message } from '../../core/event-schemas/watch.ts'
import { deliveryEvents } from '../../core/watch/pausing.ts'
import type { EventOf } from '../../core/events/plan-events.ts'
import type { KnownWorker, WorkerAtWork } from '../workers/live-workers.ts'

type Way = EventOf<'worker.heard'>['via']

export function waitingFor({ plan, task, id }: WorkerAtWork): readonly Message[] {
  const live = plan.state.tasks.get(task)?.live
  // The answer to a permission is not for the model, which cannot give it.
  return live?.worker === id ? live.watch.waiting.filter(({ permission }) => permission === undefined) : []
}

/** Returns the waiting messages and records their delivery, once. */
export async function takeMessages(worker: KnownWorker, via: Way): Promise<readonly Message[]> {
  const waiting = waitingFor(worker)
  if (waiting.length === 0) return []
  const isNoted = await recordDelivery(
    worker,
    waiting.map(({ id }) => id),
    via,
  )
  return isNoted ? waiting : []
}

/** False if they were delivered before, or the worker has ended. */
export async function recordDelivery(
  worker: KnownWorker,
  messages: readonly number[],
  via: Way,
): Promise<boolean> {
  const { plan, id, task } = worker
  const done = await plan.proposeAsNow((state) => {
    const live = state.tasks.get(task)?.live
    return live?.worker === id ? deliveryEvents(task, live, { messages, via }) : `${id} has ended`
  })
  return done.ok
}
