/** The daemon itself: identity, status, metrics and stop. */
import { countsOf } from '../../app/workers/count-metrics.ts'
import { pulseOf, statusOfAll } from '../../app/plans/plan-status.ts'
import { cleanUpBeside } from '../../app/upkeep/clean-up.ts'
import type { CleanedAnswer, StatusReading } from '../../protocol/answers.ts'
import { cleanRequest } from '../../protocol/requests.ts'
import type { Door } from '../app.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { OPEN_METRICS, openMetrics } from '../open-metrics.ts'
import { readBody } from '../read-request.ts'
import type { Routes } from '../routing.ts'

/** `/metrics`, where scrapers expect it. */
export function metricsRoutes(routes: Routes, { host }: Door): void {
  routes.get('/metrics', async () => ({
    status: 200,
    headers: { 'Content-Type': OPEN_METRICS },
    body: openMetrics(await countsOf(host)),
  }))
}

export function daemonReadings(routes: Routes, { host, facts }: ReadingDoor): void {
  routes.get('/daemon', (c) => c.json(facts))
  routes.get('/status', async (c) => {
    const seq = await host.parts.log.head()
    const unreadable = host.unloaded.all().map(({ stream, why }) => ({ plan: stream, why }))
    const status = { daemon: facts, pulse: pulseOf(host), ...statusOfAll(host), unreadable, seq }
    return c.json(status satisfies StatusReading)
  })
  routes.get('/metrics', async (c) => c.json(await countsOf(host)))
}

export function daemonRoutes(routes: Routes, { host, stop }: Door): void {
  routes.post('/clean', async (c) => {
    const { older_than_ms } = await readBody(c, cleanRequest)
    return c.json({ repositories: await cleanUpBeside(host, older_than_ms) } satisfies CleanedAnswer)
  })
  routes.post('/daemon/stop', (c) => {
    stop()
    return c.json({ stopping: true })
  })
}
