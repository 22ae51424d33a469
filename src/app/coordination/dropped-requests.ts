/** Requests that workers put here as files: taken once, and moved to `processed/` with their answers. */
import { requestFileSchema, type RequestFile } from '../../core/watch/checkins/coordination-files.ts'
import { sameSecret } from '../../lib/system/same-secret.ts'
import { receiveRequest } from '../checkins/receive-request.ts'
import { schemaProblem } from '../checkins/schema-problem.ts'
import { workerToken } from '../checkins/worker-token.ts'
import type { Host } from '../host/host.ts'
import type { DroppedFile, DropFolder } from './drop-folder.ts'
import { plansIn, proven, workerIn, type WorkerAt } from './worker-at.ts'

interface Outcome {
  readonly outcome: string
  readonly text: string
  readonly request?: string
  readonly by?: string
}

interface Place {
  readonly host: Host
  readonly repository: string
  readonly folder: DropFolder
}

export async function takeRequests(place: Place): Promise<void> {
  const { host, folder } = place
  for (const file of await folder.readSome(host.parts.clock.now())) await take(place, file)
}

async function take(place: Place, { name, value }: DroppedFile): Promise<void> {
  const { host, folder } = place
  const { data: file, error } = requestFileSchema.safeParse(value)
  if (file === undefined) return folder.setAside(name, schemaProblem(error, 'the file'))
  if (!name.startsWith('req-')) return folder.setAside(name, 'the name must be req-<id>.json')
  const outcome = await outcomeOf(place, name.replace(/\.json$/, ''), file)
  if (outcome === null) return
  const { token: _token, ...asked } = file
  const at = new Date(host.parts.clock.now()).toISOString()
  folder.finish(name, { ...asked, outcome: { ...outcome, at } })
}

/** Null while it waits for its answer. */
async function outcomeOf(place: Place, ref: string, file: RequestFile): Promise<Outcome | null> {
  const { host, repository } = place
  const worker = workerIn(host, repository, file.worker_id)
  if (worker === null)
    return wasWorker(place, file)
      ? { outcome: 'ended', text: 'its worker ended before the answer' }
      : { outcome: 'refused', text: `${file.worker_id} is not running` }
  if (file.token === undefined || !proven(host, worker, file.token)) {
    worker.plan.engine?.noteContact(worker.id, host.parts.clock.now())
    const why = file.token === undefined ? 'it has no token' : 'its token is of another worker or attempt'
    return { outcome: 'refused', text: `${why}; set "token" to the BOSUN_TOKEN of ${worker.id}` }
  }
  const known = worker.live.watch.requests.find((request) => request.ref === ref)
  if (known === undefined) return ask(worker, ref, file)
  if (known.answer === null) return null
  const { outcome, text, by } = known.answer
  return { request: known.id, outcome, text, by }
}

async function ask(worker: WorkerAt, ref: string, file: RequestFile): Promise<Outcome | null> {
  const { worker_id: _worker, token: _token, timestamp: _timestamp, type, text, ...data } = file
  const result = await receiveRequest(worker, { type, text, data: { ...data, id: ref } })
  return result.outcome === 'accepted' ? null : { outcome: result.outcome, text: result.why }
}

/** Its token is that of a worker that has ended. */
const wasWorker = ({ host, repository }: Place, { worker_id: id, token }: RequestFile): boolean =>
  token !== undefined &&
  plansIn(host, repository).some(({ home }) =>
    sameSecret(workerToken(host.parts.secret, home.stream, id), token),
  )
