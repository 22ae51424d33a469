/** What a worker reports while it works. Only its own attempt may, and only while that attempt lives. */
import { Refusal } from '../../lib/refusal.ts'
import type { Host } from '../host/host.ts'
import type { KnownWorker } from '../workers/live-workers.ts'

/** It is the worker's report from here on, as one left at its desk would be; durable when this resolves. */
export async function receiveReport(
  host: Host,
  { plan, id, task }: KnownWorker,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!plan.handIn(id, data)) {
    throw new Refusal({ code: 'conflict', message: `the attempt of ${id} is over`, remedy: 'End.' })
  }
  await host.journal.note(plan.home.repository.id, {
    timestamp: new Date(host.parts.clock.now()).toISOString(),
    event: 'report_received',
    worker_id: id,
    task_id: task,
    plan_id: plan.id,
    data,
  })
}
