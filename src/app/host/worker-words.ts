/** What a worker reports while it works. Only its own attempt may, and only while that attempt lives. */
import type { Host } from './host.ts'
import type { KnownWorker } from './live-workers.ts'

/** Keeps it; it is durable when this resolves. */
export function hearReport(
  host: Host,
  { plan, id, task }: KnownWorker,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  return host.journal.note(plan.home.repository.id, {
    timestamp: new Date(host.parts.clock.now()).toISOString(),
    event: 'report_received',
    worker_id: id,
    task_id: task,
    plan_id: plan.id,
    data,
  })
}
