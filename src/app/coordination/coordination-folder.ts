/** The coordination folder of one repository: check-ins from workers and messages to them. */
import { join } from 'node:path'
import type { Host } from '../host/host.ts'
import type { KnownWorker } from '../workers/live-workers.ts'
import { workerToken } from '../checkins/worker-token.ts'
import { recordDelivery, waitingFor } from '../checkins/worker-messages.ts'
import { sameSecret } from '../../lib/system/same-secret.ts'
import { CheckinSpool, type Malformed } from '../checkins/checkin-spool.ts'
import { MessageFiles } from '../checkins/message-files.ts'
import type { ReadFile } from '../checkins/read-checkin.ts'
import { plansIn, workersIn } from './worker-at.ts'

/** Files that are named in one line of the activity log. */
const MOST_NAMED = 10

export class Coordination {
  readonly #host: Host
  readonly #repository: string
  readonly #messages: MessageFiles
  readonly spool: CheckinSpool

  constructor(host: Host, { repository, folder }: { readonly repository: string; readonly folder: string }) {
    this.#host = host
    this.#repository = repository
    this.#messages = new MessageFiles(join(folder, 'worker-messages'))
    const { clock, onError } = host.parts
    this.spool = new CheckinSpool({
      folder: join(folder, 'worker-checkins'),
      clock,
      known: () => new Set([...workersIn(host, repository)].map(({ id }) => id)),
      take: (checkin, file) => this.#take(checkin, file),
      onMalformed: (files) => this.#reportMalformed(files),
      onError: (what, error) => onError(`${repository}: ${what}`, error),
    })
  }

  start(): void {
    this.#attempt(() => this.#messages.open())
    this.spool.start()
  }

  close(): Promise<void> {
    return this.spool.close()
  }

  /** Puts what waits for workers where they find it. */
  placeMessages(): void {
    const live = new Set<string>()
    for (const { id, live: worker } of workersIn(this.#host, this.#repository)) {
      live.add(id)
      this.#attempt(() => this.#messages.place(id, worker.watch.waiting))
    }
    this.#attempt(() => this.#messages.forgetAllBut((worker) => live.has(worker)))
  }

  /** A failed write is repeated with the next message; the worker may also ask for it. */
  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#host.parts.onError(`${this.#repository}: messages to workers`, error)
    }
  }

  async #take(checkin: ReadFile, file: string): Promise<'taken' | 'unknown'> {
    const worker = this.#host.workers.inRepository(checkin.worker, this.#repository)
    if (worker === null) return this.#wasKnown(checkin) ? 'taken' : 'unknown'
    // Without a token it is a sign of life and nothing else.
    if (checkin.token === null) worker.plan.engine?.noteContact(worker.id, checkin.at)
    else if (sameSecret(worker.token, checkin.token)) await this.#receive(worker, checkin, file)
    else this.#host.checkins.receiveStale(worker, checkin)
    return 'taken'
  }

  async #receive(worker: KnownWorker, checkin: ReadFile, file: string): Promise<void> {
    await this.#host.checkins.receive(worker, checkin, file)
    const taken = this.#messages.taken(worker.id, waitingFor(worker))
    if (taken.length > 0) await recordDelivery(worker, taken, 'checkin')
  }

  /** A valid token of a worker that has ended: its check-in comes too late. */
  #wasKnown({ worker, token }: ReadFile): boolean {
    const { secret } = this.#host.parts
    if (token === null) return false
    const plans = plansIn(this.#host, this.#repository)
    return plans.some(({ home }) => sameSecret(workerToken(secret, home.stream, worker), token))
  }

  #reportMalformed(files: readonly Malformed[]): void {
    const data = { count: files.length, files: files.slice(0, MOST_NAMED) }
    const at = this.#host.parts.clock.now()
    this.#host.notes.addSoon({ repository: this.#repository, at, event: 'checkin_malformed', data })
  }
}
