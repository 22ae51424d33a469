/** Workers: for the user to see and stop, and for each worker to check in, ask and report. */
import { adoptWorker } from '../../app/workers/adopt-worker.ts'
import { workerChannel, type WorkerChannel } from '../../app/checkins/worker-channel.ts'
import { listWorkers } from '../../app/plans/list-pages.ts'
import { instructWorker } from '../../app/workers/instruct-worker.ts'
import { takeOver } from '../../app/workers/take-over.ts'
import { workerLog } from '../../app/workers/worker-log.ts'
import { killWorker, showWorker } from '../../app/workers/workers.ts'
import { readSettings } from '../../config/read-settings.ts'
import { findRepositoryRoot } from '../../config/repository.ts'
import { Refusal } from '../../lib/refusal.ts'
import { listQuery } from '../../protocol/paging.ts'
import {
  adoptRequest,
  extendRequest,
  instructRequest,
  journalQuery,
  killRequest,
  nudgeRequest,
  openRequest,
  repoQuery,
  transcriptQuery,
  workerReport,
  workerRequest,
} from '../../protocol/requests.ts'
import type { Door } from '../app.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { readBody, readJson, readQuery } from '../read-request.ts'
import type { Call, Routes } from '../routing.ts'

export function workerReadings(routes: Routes, { host }: ReadingDoor): void {
  routes.get('/workers', (c) => c.json(listWorkers(host, readQuery(c, listQuery))))

  routes.get('/workers/:id', async (c) => {
    const repository = await host.repositoryAt(readQuery(c, repoQuery).repo)
    return c.json(await showWorker(host, { id: c.param('id'), repository }))
  })

  routes.get('/workers/:id/journal', async (c) => {
    const { repo, ...page } = readQuery(c, journalQuery)
    const { workerJournal } = await import('../../app/workers/worker-journal.ts')
    const repository = await host.repositoryAt(repo)
    return c.json(await workerJournal(host, { id: c.param('id'), repository, ...page }))
  })

  routes.get('/workers/:id/diff', async (c) => {
    const repository = await host.repositoryAt(readQuery(c, repoQuery).repo)
    const { workerDiff } = await import('../../app/workers/worker-diff.ts')
    return c.json(await workerDiff(host, { id: c.param('id'), repository }))
  })

  routes.get('/workers/:id/log', async (c) => {
    const { repo, after = null } = readQuery(c, transcriptQuery)
    const repository = await host.repositoryAt(repo)
    return c.json(await workerLog(host, { id: c.param('id'), repository }, after))
  })
}

export function workerRoutes(routes: Routes, { host }: Door): void {
  routes.post('/workers', async (c) => {
    const { cwd, time_limit_ms: timeLimitMs, ...body } = await readBody(c, adoptRequest)
    const [repository, settings] = await Promise.all([findRepositoryRoot(cwd), readSettings(cwd)])
    return c.json(await adoptWorker(host, { ...body, timeLimitMs, repository, settings }))
  })

  routes.post('/workers/:id/kill', async (c) => {
    const { repo, ...body } = await readBody(c, killRequest)
    const repository = await host.repositoryAt(repo)
    return c.json(await killWorker(host, { id: c.param('id'), repository, ...body }))
  })

  routes.post('/workers/:id/open', async (c) => {
    const { repo, ...body } = await readBody(c, openRequest)
    const repository = await host.repositoryAt(repo)
    return c.json(await takeOver(host, { id: c.param('id'), repository, ...body }))
  })

  routes.post('/workers/:id/instruct', async (c) => {
    const { repo, id: ref, ...body } = await readBody(c, instructRequest)
    const repository = await host.repositoryAt(repo)
    return c.json(await instructWorker(host, { id: c.param('id'), repository, ref, ...body }))
  })

  routes.post('/workers/:id/nudge', async (c) => {
    const { repo, ...body } = await readBody(c, nudgeRequest)
    const repository = await host.repositoryAt(repo)
    const { nudgeWorker } = await import('../../app/workers/urge-worker.ts')
    return c.json(await nudgeWorker(host, { id: c.param('id'), repository, ...body }))
  })

  routes.post('/workers/:id/extend', async (c) => {
    const { repo, ...body } = await readBody(c, extendRequest)
    const repository = await host.repositoryAt(repo)
    const { extendWorker } = await import('../../app/workers/urge-worker.ts')
    return c.json(await extendWorker(host, { id: c.param('id'), repository, ...body }))
  })

  routes.post('/workers/:id/requests', async (c) => {
    const channel = channelOf(c, c.param('id'))
    const { type, text, data, ...more } = await readBody(c, workerRequest)
    return c.json(await channel.request({ type, text, data: { ...data, ...more } }), 202)
  })

  routes.post('/workers/:id/checkins', async (c) => {
    const channel = channelOf(c, c.param('id'))
    return c.json(await channel.checkin(await readJson(c)), 202)
  })

  routes.post('/workers/:id/reports', async (c) => {
    const channel = channelOf(c, c.param('id'))
    return c.json(await channel.report(await readBody(c, workerReport)), 202)
  })

  routes.get('/workers/:id/instructions', async (c) =>
    c.json(await channelOf(c, c.param('id')).instructions()),
  )

  /** The guard let it pass; its attempt may have ended since. */
  function channelOf(c: Call, id: string): WorkerChannel {
    const token = (c.header('authorization') ?? '').replace('Bearer ', '')
    const worker = host.workers.withToken(id, token)
    if (worker !== null) return workerChannel(host, worker)
    throw new Refusal({ code: 'conflict', message: `attempt ${id} has ended`, remedy: 'Exit now.' })
  }
}
