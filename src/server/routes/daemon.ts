/** The daemon itself: identity, status, metrics and stop. */
import { countsOf } from '../../app/workers/count-metrics.ts'
import { pulseOf, statusOfAll, withRecords } from '../../app/plans/plan-status.ts'
import { cleanUpBeside } from '../../app/upkeep/clean-up.ts'
import type { CleanedAnswer, StatusReading } from '../../protocol/answers.ts'
import { cleanRequest, historyQuery, statusQuery, stopRequest } from '../../protocol/requests.ts'
import type { SnapshotAnswer } from '../../protocol/snapshot.ts'
import type { Door } from '../app.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { OPEN_METRICS, openMetrics } from '../open-metrics.ts'
import { readBody, readQuery } from '../read-request.ts'
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
    const { records } = readQuery(c, statusQuery)
    const seq = await host.parts.log.head()
    const interviews = await host.listInterviews()
    const unreadable = host.unloaded.all().map(({ stream, why }) => ({ plan: stream, why }))
    const found = records === undefined ? statusOfAll(host) : withRecords(host, statusOfAll(host))
    const status = { daemon: facts, pulse: pulseOf(host), ...found, interviews, unreadable, seq }
    return c.json(status satisfies StatusReading)
  })
  routes.get('/metrics', async (c) => c.json(await countsOf(host)))
  routes.get('/metrics/history', async (c) => {
    const { repo, plan, days } = readQuery(c, historyQuery)
    const { metricsHistory } = await import('../../app/activity/metrics-history.ts')
    // Of an unknown repository there is nothing; without one, everything counts.
    const repository = repo === undefined ? undefined : ((await host.repositoryAt(repo)) ?? '')
    return c.json(await metricsHistory(host, { repository, plan, days }))
  })
}

export function daemonRoutes(routes: Routes, { host, facts, stop }: Door): void {
  routes.get('/snapshot', async (c) => {
    const { snapshotOf } = await import('../../app/plans/snapshot.ts')
    return c.json({ daemon: facts, ...(await snapshotOf(host)) } satisfies SnapshotAnswer)
  })
  routes.post('/clean', async (c) => {
    const { older_than_ms } = await readBody(c, cleanRequest)
    return c.json({ repositories: await cleanUpBeside(host, older_than_ms) } satisfies CleanedAnswer)
  })
  routes.post('/daemon/stop', async (c) => {
    await readBody(c, stopRequest)
    stop()
    return c.json({ stopping: true })
  })
}
