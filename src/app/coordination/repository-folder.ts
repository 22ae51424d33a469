/** The coordination folder of one repository: what is put there, and what is shown there. */
import { join } from 'node:path'
import { pmStateSchema, type PmState } from '../../core/watch/checkins/coordination-files.ts'
import { sameSecret } from '../../lib/system/same-secret.ts'
import type { ReadFile } from '../checkins/read-checkin.ts'
import { recordDelivery, waitingFor } from '../checkins/worker-messages.ts'
import { workerToken } from '../checkins/worker-token.ts'
import type { Host } from '../host/host.ts'
import { coordinationFolder } from '../host/stream-name.ts'
import { Alerts } from './alerts.ts'
import { DropFolder, folderProblem, readFile, removeOlder, writeDocument } from './drop-folder.ts'
import { DroppedCheckins, type Malformed } from './dropped-checkins.ts'
import { takeRequests } from './dropped-requests.ts'
import { MessageFiles } from './message-files.ts'
import { plansIn, workersIn } from './worker-at.ts'
import { mirrorSpecs, mirrorStart } from './worker-specs.ts'

const KEPT_MS = 7 * 24 * 3_600_000
const TIDY_MS = 3_600_000
const MAX_STATE_BYTES = 4 * 1024 * 1024
/** Files that are named in one line of the activity log. */
const MOST_NAMED = 10
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,220}\.json$/

export class RepositoryFolder {
  readonly #host: Host
  readonly #repository: string
  readonly #folder: string
  readonly #onNews: () => void
  readonly #checkins: DroppedCheckins
  readonly #messages: MessageFiles
  readonly #requests: DropFolder
  readonly #answers: DropFolder
  readonly #alerts: Alerts
  readonly #reported = new Map<string, string>()
  #tidiedAt = Number.NEGATIVE_INFINITY

  /** `onNews` is called for new requests and answers. */
  constructor(host: Host, repository: string, onNews: () => void) {
    this.#host = host
    this.#repository = repository
    this.#onNews = onNews
    this.#folder = coordinationFolder(host.parts.root, repository)
    this.#messages = new MessageFiles(join(this.#folder, 'worker-messages'))
    this.#requests = this.#dropFolder('pm-requests', 'processed')
    this.#answers = this.#dropFolder('pm-alerts', 'resolved')
    this.#alerts = new Alerts(host, repository, this.#answers)
    const { clock, onError } = host.parts
    this.#checkins = new DroppedCheckins({
      folder: join(this.#folder, 'worker-checkins'),
      clock,
      known: () => new Set([...workersIn(host, repository)].map(({ id }) => id)),
      take: (checkin, file) => this.#takeCheckin(checkin, file),
      onMalformed: (files) => this.#noteMalformed(files),
      onError: (what, error) => onError(`${repository}: ${what}`, error),
    })
  }

  /** Check-ins that were not taken yet. */
  get backlog(): number {
    return this.#checkins.backlog
  }

  /** Takes in check-ins from now on; the folders for workers are there when this returns. */
  start(): void {
    try {
      if (folderProblem(this.#folder) === null)
        for (const one of [this.#requests, this.#answers]) one.prepare()
    } catch {
      // The first look tries again, and reports it.
    }
    this.#attemptMessages(() => this.#messages.open())
    this.#checkins.start()
  }

  async close(): Promise<void> {
    for (const folder of [this.#requests, this.#answers]) folder.close()
    await this.#checkins.close()
  }

  /** Puts what waits for workers where they find it. */
  placeMessages(): void {
    const live = new Set<string>()
    for (const { id, live: worker } of workersIn(this.#host, this.#repository)) {
      live.add(id)
      this.#attemptMessages(() => this.#messages.place(id, worker.watch.waiting))
    }
    this.#attemptMessages(() => this.#messages.forgetAllBut((worker) => live.has(worker)))
  }

  /** Shows a worker that has started, even if it ends before the next sweep. */
  async noteStart(worker: string): Promise<void> {
    if (await this.#isOurs()) await this.#attend('worker files', async () => mirrorStart(this.#specs, worker))
  }

  /** Writes the state of the watch, which follows from the one that is there. Never rejects. */
  async writeState(next: (before: PmState | null) => PmState): Promise<void> {
    if (!(await this.#isOurs())) return
    await this.#attend('pm-state.json', async () => {
      const found = readFile(this.#folder, 'pm-state.json', MAX_STATE_BYTES)
      const before = pmStateSchema.safeParse(found.kind === 'read' ? found.value : null)
      writeDocument(join(this.#folder, 'pm-state.json'), next(before.data ?? null))
    })
  }

  /** Reads what was put there and writes what has changed. A failing part does not stop the others. Never rejects. */
  async sweep(): Promise<void> {
    if (!(await this.#isOurs())) return
    const [host, repository] = [this.#host, this.#repository]
    await this.#attend('request files', async () => {
      this.#requests.prepare()
      this.#requests.watch(this.#onNews)
      await takeRequests({ host, repository, folder: this.#requests })
    })
    await this.#attend('alert files', async () => {
      this.#answers.prepare()
      this.#answers.watch(this.#onNews)
      await this.#alerts.sweep()
    })
    await this.#attend('worker files', () => mirrorSpecs(this.#specs))
    const now = host.parts.clock.now()
    if (now < this.#tidiedAt + TIDY_MS) return
    this.#tidiedAt = now
    await this.#attend('old files', async () => {
      for (const folder of [this.#requests, this.#answers]) await folder.tidy(now - KEPT_MS)
      for (const done of ['completed', 'failed'])
        await removeOlder(join(this.#specs.folder, done), now - KEPT_MS)
    })
  }

  get #specs() {
    const folder = join(this.#folder, 'worker-specs')
    return { host: this.#host, repository: this.#repository, folder }
  }

  #dropFolder(name: string, done: string): DropFolder {
    const folder = join(this.#folder, name)
    return new DropFolder({
      pending: join(folder, 'pending'),
      done: join(folder, done),
      malformed: join(folder, 'malformed'),
      consequence: 'its files are ignored. Remove it, and it will be created again',
      nameProblem: (file) =>
        NAME.test(file) ? null : 'the name must consist of letters, digits, - and _ and end in .json',
    })
  }

  async #takeCheckin(checkin: ReadFile, file: string): Promise<'taken' | 'unknown'> {
    const { workers, checkins } = this.#host
    const worker = workers.inRepository(checkin.worker, this.#repository)
    if (worker === null) return this.#wasKnown(checkin) ? 'taken' : 'unknown'
    // Without a token it is a sign of life and nothing else.
    if (checkin.token === null) worker.plan.engine?.noteContact(worker.id, checkin.at)
    else if (!sameSecret(worker.token, checkin.token)) checkins.receiveStale(worker, checkin)
    else {
      await checkins.receive(worker, checkin, file)
      const taken = this.#messages.taken(worker.id, waitingFor(worker))
      if (taken.length > 0) await recordDelivery(worker, taken, 'checkin')
    }
    return 'taken'
  }

  /** A valid token of a worker that has ended: its check-in comes too late. */
  #wasKnown({ worker, token }: ReadFile): boolean {
    const { secret } = this.#host.parts
    if (token === null) return false
    const plans = plansIn(this.#host, this.#repository)
    return plans.some(({ home }) => sameSecret(workerToken(secret, home.stream, worker), token))
  }

  #noteMalformed(files: readonly Malformed[]): void {
    const data = { count: files.length, files: files.slice(0, MOST_NAMED) }
    const at = this.#host.parts.clock.now()
    this.#host.notes.addSoon({ repository: this.#repository, at, event: 'checkin_malformed', data })
  }

  /** A failed write is repeated with the next message; the worker may also ask for it. */
  #attemptMessages(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#host.parts.onError(`${this.#repository}: messages to workers`, error)
    }
  }

  #isOurs(): Promise<boolean> {
    return this.#attend('the coordination folder', async () => {
      const problem = folderProblem(this.#folder)
      if (problem !== null) throw new Error(problem)
    })
  }

  /** False if it failed. Reports the same problem once. */
  async #attend(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      this.#reported.delete(what)
      return true
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (this.#reported.get(what) !== message) this.#host.parts.onError(what, error)
      this.#reported.set(what, message)
      return false
    }
  }
}
