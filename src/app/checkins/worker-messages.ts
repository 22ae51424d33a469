/** What waits for a worker until it has heard it. */
import type { Message } from '../../core/event-schemas/watch.ts'
import type { EventOf } from '../../core/events/plan-events.ts'
import type { KnownWorker, WorkerAtWork } from '../workers/live-workers.ts'

type Way = EventOf<'worker.heard'>['via']

export function waitingFor({ plan, task, id }: WorkerAtWork): readonly Message[] {
  const live = plan.state.tasks.get(task)?.live
  return live?.worker === id ? live.watch.waiting : []
}

/** Gives what waits to whoever asks for the worker, once. */
export async function hearMessages(worker: KnownWorker, via: Way): Promise<readonly Message[]> {
  const waiting = waitingFor(worker)
  if (waiting.length === 0) return []
  const isNoted = await noteHeard(
    worker,
    waiting.map(({ id }) => id),
    via,
  )
  return isNoted ? waiting : []
}

/** False where somebody else heard them first, or the worker has ended. */
export async function noteHeard(
  worker: KnownWorker,
  messages: readonly number[],
  via: Way,
): Promise<boolean> {
  const { plan, id, task, attempt } = worker
  const heard = { worker: id, task, attempt, messages: [...messages], via }
  return (await plan.propose({ type: 'worker.heard', v: 1, ...heard })).ok
}
