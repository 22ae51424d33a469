/** Leaves nothing of a demo running. */
import type { Daemon } from '../../client/daemon.ts'
import type { PlanAnswer, StatusAnswer } from '../../protocol/answers.ts'
import type { Services } from '../services.ts'

const WORKERS_GONE_MS = 30_000
const POLL_MS = 100

/** Cancels plans that still run, waits for their workers to end, then stops the daemon. */
export async function stopEverything(services: Services): Promise<void> {
  const daemon = await services.daemonIfWanted()
  if (daemon === null) return
  const { plans } = await daemon.get<StatusAnswer>('/api/status')
  for (const { id } of plans) await endPlan(daemon, id)
  await services.stopDaemon()
}

async function endPlan(daemon: Daemon, id: string): Promise<void> {
  const path = `/api/plans/${id}`
  if ((await daemon.get<PlanAnswer>(path)).outcome !== 'moving') return
  await daemon.post(`${path}/cancel`, { by: 'the demo', reason: 'it was cut short' })
  const deadline = Date.now() + WORKERS_GONE_MS
  while ((await daemon.get<PlanAnswer>(path)).workers.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
