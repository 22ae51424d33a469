/** Requests as files: taken once, and moved to `processed/` with their answers. */
import { requestFileSchema, type RequestFile } from '../../core/watch/checkins/coordination-files.ts'
import { receiveRequest } from '../checkins/receive-request.ts'
import { schemaProblem } from '../checkins/schema-problem.ts'
import type { Host } from '../host/host.ts'
import { proven, workerIn, type WorkerAt } from './worker-at.ts'
import type { DroppedFile, DropFolder } from './drop-folder.ts'

interface Outcome {
  readonly outcome: string
  readonly text: string
  readonly request?: string
  readonly by?: string
}

export class RequestFiles {
  readonly #host: Host
  readonly #repository: string
  readonly #folder: DropFolder
  /** Files whose requests were accepted; after a restart this is known from the workers. */
  readonly #accepted = new Set<string>()

  constructor(host: Host, repository: string, folder: DropFolder) {
    this.#host = host
    this.#repository = repository
    this.#folder = folder
  }

  async sweep(): Promise<void> {
    const now = this.#host.parts.clock.now()
    for (const file of await this.#folder.read(now)) await this.#take(file)
  }

  async #take({ name, value }: DroppedFile): Promise<void> {
    const { data: file, error } = requestFileSchema.safeParse(value)
    if (file === undefined) return this.#folder.putAside(name, schemaProblem(error, 'the file'))
    if (!name.startsWith('req-')) return this.#folder.putAside(name, 'the name must be req-<id>.json')
    const ref = name.replace(/\.json$/, '')
    const outcome = await this.#outcomeOf(ref, file)
    if (outcome === null) return
    this.#accepted.delete(ref)
    const { token: _token, ...asked } = file
    await this.#folder.finish(name, { ...asked, outcome: { ...outcome, at: this.#now() } })
  }

  /** Null while it waits for its answer. */
  async #outcomeOf(ref: string, file: RequestFile): Promise<Outcome | null> {
    const worker = workerIn(this.#host, this.#repository, file.worker_id)
    if (worker === null) {
      const text = this.#accepted.has(ref)
        ? 'its worker ended before the answer'
        : `${file.worker_id} is not running`
      return { outcome: this.#accepted.has(ref) ? 'ended' : 'refused', text }
    }
    if (file.token === undefined || !proven(this.#host, worker, file.token)) {
      worker.plan.engine?.noteContact(worker.id, this.#host.parts.clock.now())
      const why = file.token === undefined ? 'it has no token' : 'its token is of another worker or attempt'
      return { outcome: 'refused', text: `${why}; set "token" to the BOSUN_TOKEN of ${worker.id}` }
    }
    const known = this.#known(worker, ref)
    return known === undefined ? this.#ask(worker, ref, file) : known
  }

  /** Undefined where it was not asked yet. */
  #known({ live }: WorkerAt, ref: string): Outcome | null | undefined {
    const known = live.watch.requests.find((request) => request.ref === ref)
    if (known === undefined) return undefined
    this.#accepted.add(ref)
    if (known.answer === null) return null
    const { outcome, text, by } = known.answer
    return { request: known.id, outcome, text, by }
  }

  async #ask(worker: WorkerAt, ref: string, file: RequestFile): Promise<Outcome | null> {
    const { worker_id: _worker, token: _token, timestamp: _timestamp, type, text, ...data } = file
    const result = await receiveRequest(worker, { type, text, data: { ...data, id: ref } })
    if (result.outcome !== 'accepted') return { outcome: result.outcome, text: result.why }
    this.#accepted.add(ref)
    return null
  }

  #now(): string {
    return new Date(this.#host.parts.clock.now()).toISOString()
  }
}
