/** Workers: for the user to see and stop, and for each worker to check in, ask and report. */
import { workerChannel, type WorkerChannel } from '../../app/checkins/worker-channel.ts'
import { listWorkers } from '../../app/plans/plan-status.ts'
import { adoptWorker } from '../../app/workers/adopt-worker.ts'
import { instructWorker, extendWorker, nudgeWorker, takeOver } from '../../app/workers/act-on-worker.ts'
import type { KnownWorker } from '../../app/workers/live-workers.ts'
import { workerDiff, workerJournal, workerLog } from '../../app/workers/worker-journal.ts'
import { killWorker, showWorker } from '../../app/workers/workers.ts'
import { readSettings } from '../../config/read-settings.ts'
import { findRepositoryRoot } from '../../config/repository.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Door } from '../app.ts'
import { tokenIn } from '../guard.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import {
  jsonAnswer,
  jsonHandlers,
  readJson,
  subjectOf,
  type Answer,
  type Handlers,
  type HttpRequest,
} from '../routing.ts'

export const workerReadings = ({ host }: ReadingDoor) =>
  jsonHandlers({
    'GET /api/workers': ({ query }) => listWorkers(host, query),
    'GET /api/workers/{id}': async ({ id, query }) => showWorker(host, await subjectOf(host, id, query)),
    'GET /api/workers/{id}/journal': async ({ id, query }) =>
      workerJournal(host, await subjectOf(host, id, query)),
    'GET /api/workers/{id}/diff': async ({ id, query }) => workerDiff(host, await subjectOf(host, id, query)),
    'GET /api/workers/{id}/log': async ({ id, query: { repo, after = null } }) =>
      workerLog(host, { id, repository: await host.repositoryAt(repo) }, after),
  })

export const workerRoutes = ({ host }: Door) =>
  jsonHandlers({
    'POST /api/workers': async ({ body: { cwd, time_limit_ms: timeLimitMs, ...body } }) => {
      const [repository, settings] = await Promise.all([findRepositoryRoot(cwd), readSettings(cwd)])
      return adoptWorker(host, { ...body, timeLimitMs, repository, settings })
    },
    'POST /api/workers/{id}/kill': async ({ id, body }) => killWorker(host, await subjectOf(host, id, body)),
    'POST /api/workers/{id}/open': async ({ id, body }) => takeOver(host, await subjectOf(host, id, body)),
    'POST /api/workers/{id}/instruct': async ({ id, body: { repo, id: ref, ...body } }) =>
      instructWorker(host, { id, repository: await host.repositoryAt(repo), ref, ...body }),
    'POST /api/workers/{id}/nudge': async ({ id, body }) =>
      nudgeWorker(host, await subjectOf(host, id, body)),
    'POST /api/workers/{id}/extend': async ({ id, body }) =>
      extendWorker(host, await subjectOf(host, id, body)),
  })

/** What workers themselves call. The guard let it pass; the attempt may have ended since. */
export const channelRoutes = ({ host, facts, onError }: Door): Handlers => {
  const channelOf = (request: HttpRequest, id: string): WorkerChannel => {
    const worker = host.workers.withToken(id, tokenIn(request.headers.get('authorization')))
    if (worker !== null) return workerChannel(host, worker)
    throw new Refusal({ code: 'conflict', message: `attempt ${id} has ended`, remedy: 'Exit now.' })
  }
  const mcp = async (request: HttpRequest): Promise<Answer> => {
    const worker = host.workers.ofToken(tokenIn(request.headers.get('authorization')))
    if (worker === null)
      throw new Refusal({ code: 'conflict', message: 'this attempt has ended', remedy: 'Exit now.' })
    // The protocol is loaded with the first call, so that a daemon without such workers never does.
    const [{ answerMcp }, { workerTools }] = await Promise.all([
      import('../../mcp/mcp-server.ts'),
      import('../../mcp/worker-tools.ts'),
    ])
    const tools = workerTools(workerChannel(host, worker), roleOf(worker))
    const asked = await webRequest(request, facts.url)
    const answered = await answerMcp(asked, {
      tools,
      version: facts.version,
      onError,
    })
    const { status, headers } = answered
    return { status, headers: Object.fromEntries(headers), body: await answered.text() }
  }
  return {
    ...jsonHandlers({
      'POST /api/workers/{id}/requests': ({ id, request, body: { type, text, data, ...more } }) =>
        channelOf(request, id).request({ type, text, data: { ...data, ...more } }),
      'POST /api/workers/{id}/reports': ({ id, request, body }) => channelOf(request, id).report(body),
      'GET /api/workers/{id}/instructions': ({ id, request }) => channelOf(request, id).instructions(),
    }),
    // A check-in is read by the schema that its files have too.
    'POST /api/workers/{id}/checkins': async (request, id) => {
      const channel = channelOf(request, id)
      return jsonAnswer(await channel.checkin(await readJson(request)), 202)
    },
    'GET /mcp': mcp,
    'POST /mcp': mcp,
  }
}

const roleOf = ({ plan, task }: KnownWorker) => plan.state.tasks.get(task)?.live?.role ?? null

/** As the library takes it. */
async function webRequest({ method, target, headers, text }: HttpRequest, url: string): Promise<Request> {
  const body = method === 'POST' ? { body: await text() } : {}
  return new Request(`${url}${target}`, { method, headers: [...headers], ...body })
}
