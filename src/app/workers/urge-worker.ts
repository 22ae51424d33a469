/** A person nudges a running worker, or gives it more time. */
import { formatDuration } from '../../lib/text/format-time.ts'
import { extendBy, nudgeBy, type PersonAction } from '../../core/watch/person-actions.ts'
import { deliveryText } from '../../core/watch/message-delivery.ts'
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { WorkerActionAnswer } from '../../protocol/worker-views.ts'
import type { Host } from '../host/host.ts'
import { deliveryChannel } from './message-states.ts'
import { findRunning, workerRefusal, type WorkerName } from './workers.ts'

interface Asked extends WorkerName {
  readonly by: string
}

/** Durable when it resolves; delivered as soon as the worker can receive it, and the answer says when that is. */
export async function nudgeWorker(host: Host, asked: Asked): Promise<WorkerActionAnswer> {
  const { plan, row } = await findRunning(host, asked)
  const isSent = await propose({ plan, row }, asked, nudgeBy)
  const channel = deliveryChannel(plan, { worker: asked.id, task: row.task })
  const when = deliveryText({ kind: 'nudge' }, channel)
  const never = channel === 'checkin' && row.last_checkin === null ? ' (it has not checked in so far)' : ''
  const text = isSent
    ? `nudge queued for ${asked.id}: delivered ${when}${never}`
    : `an earlier nudge for ${asked.id} is still queued: delivered ${when}${never}`
  return { id: asked.id, done: isSent, text }
}

/** Durable when it resolves; its supervisor gets the new limit next. */
export async function extendWorker(
  host: Host,
  asked: Asked & { readonly minutes: number },
): Promise<WorkerActionAnswer> {
  const done = await propose(await findRunning(host, asked), asked, (action) =>
    extendBy(action, asked.minutes),
  )
  const text = `${asked.id} has ${formatDuration(asked.minutes * 60_000)} more`
  return { id: asked.id, done, text }
}

/** False where there is nothing to do. */
async function propose(
  { plan, row }: Awaited<ReturnType<typeof findRunning>>,
  asked: Asked,
  eventsOf: (action: PersonAction) => readonly PlanEvent[] | null,
): Promise<boolean> {
  let isNeeded = true
  const done = await plan.proposeAsNow((state) => {
    const live = state.tasks.get(row.task)?.live
    if (live === null || live?.worker !== asked.id) return `${asked.id} has already ended`
    const events = eventsOf({ live, task: row.task, by: asked.by })
    isNeeded = events !== null
    return events ?? 'there is nothing to do'
  })
  if (!isNeeded) return false
  if (!done.ok) throw workerRefusal('conflict', done.why)
  return true
}
