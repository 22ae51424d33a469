/** Accepts a report over HTTP, only with the token of the running attempt. */
import { Refusal } from '../../lib/refusal.ts'
import type { Host } from '../host/host.ts'
import type { KnownWorker } from '../workers/live-workers.ts'

/** Counts like a report file in the worker's folder; durable when this resolves. */
export async function receiveReport(
  host: Host,
  { plan, id, task }: KnownWorker,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (plan.world.handIn?.(id, data) !== true) {
    throw new Refusal({ code: 'conflict', message: `attempt ${id} has ended`, remedy: 'Exit now.' })
  }
  await host.notes.add({
    repository: plan.home.repository.id,
    at: host.parts.clock.now(),
    event: 'report_received',
    worker: id,
    task,
    plan: plan.id,
    data,
  })
}
