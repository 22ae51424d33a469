/** The coordination folder of one repository: what is put there (check-ins, requests, answers), and what is shown there. */
import { join } from 'node:path'
import {
  pmStateSchema,
  requestFileSchema,
  type PmState,
  type RequestFile,
} from '../../core/watch/checkins/coordination-files.ts'
import {
  schemaProblem,
  type ReadFile,
  recordDelivery,
  waitingFor,
  receiveRequest,
} from '../checkins/worker-channel.ts'
import { plansIn, workersIn, type KnownWorker } from '../workers/live-workers.ts'
import type { Host } from '../host/host.ts'
import { coordinationFolder } from '../host/stream-name.ts'
import { sweepAlerts } from './alerts.ts'
import {
  DropFolder,
  folderProblem,
  readFile,
  removeOlder,
  writeDocument,
  requireFolders,
  type DroppedFile,
  type DropPlace,
  Troubles,
} from './drop-folder.ts'
import { DroppedCheckins, type Malformed } from './dropped-checkins.ts'
import { mirrorSpecs, mirrorStart } from './worker-specs.ts'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Message } from '../../core/event-schemas/watch.ts'
import { terminalText } from '../../lib/text/terminal-text.ts'
import { atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { iso } from '../../lib/text/format-time.ts'

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
  readonly #messages: string
  readonly #requests: DropFolder
  readonly #answers: DropFolder
  readonly #troubles: Troubles
  #tidiedAt = Number.NEGATIVE_INFINITY

  /** `onNews` is called for new requests and answers. */
  constructor(host: Host, repository: string, onNews: () => void) {
    this.#host = host
    this.#repository = repository
    this.#onNews = onNews
    this.#folder = coordinationFolder(host.parts.root, repository)
    this.#messages = join(this.#folder, 'worker-messages')
    this.#requests = this.#dropFolder('pm-requests', 'processed')
    this.#answers = this.#dropFolder('pm-alerts', 'resolved')
    const { clock, onError } = host.parts
    this.#troubles = new Troubles(onError)
    this.#checkins = new DroppedCheckins({
      folder: join(this.#folder, 'worker-checkins'),
      clock,
      hide: host.parts.hide,
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
    this.#checkins.start()
  }

  async close(): Promise<void> {
    for (const folder of [this.#requests, this.#answers]) folder.close()
    await this.#checkins.close()
  }

  /** Puts what waits for workers where they find it. */
  placeMessages(): void {
    const workers = workersIn(this.#host, this.#repository)
    for (const { id, live } of workers)
      this.#attemptMessages(() => placeMessages(this.#messages, id, live.watch.waiting))
    this.#attemptMessages(() => forgetMessages(this.#messages, new Set(workers.map(({ id }) => id))))
  }

  /** Shows a worker that has started, even if it ends before the next sweep. */
  async noteStart(worker: string): Promise<void> {
    if (await this.#isOurs())
      await this.#troubles.attend('worker files', () => mirrorStart(this.#specs, worker))
  }

  /** Writes the state of the watch, which follows from the one that is there. Never rejects. */
  async writeState(next: (before: PmState | null) => PmState): Promise<void> {
    if (!(await this.#isOurs())) return
    await this.#troubles.attend('pm-state.json', () => {
      const found = readFile(this.#folder, 'pm-state.json', MAX_STATE_BYTES)
      const before = pmStateSchema.safeParse(found.kind === 'read' ? found.value : null)
      writeDocument(join(this.#folder, 'pm-state.json'), next(before.data ?? null))
    })
  }

  /** Reads what was put there and writes what has changed. A failing part does not stop the others. Never rejects. */
  async sweep(): Promise<void> {
    if (!(await this.#isOurs())) return
    const [host, repository] = [this.#host, this.#repository]
    const now = host.parts.clock.now()
    const look = (what: string, folder: DropFolder, sweep: (place: DropPlace) => Promise<void>) =>
      this.#troubles.attend(what, async () => {
        folder.prepare()
        folder.watch(this.#onNews)
        await sweep({ host, repository, folder })
        await folder.tidy(now)
      })
    await look('request files', this.#requests, takeRequests)
    await look('alert files', this.#answers, sweepAlerts)
    await this.#troubles.attend('worker files', async () => {
      await mirrorSpecs(this.#specs)
      if (now < this.#tidiedAt + TIDY_MS) return
      this.#tidiedAt = now
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
      keptMs: KEPT_MS,
      consequence: 'its files are ignored. Remove it, and it will be created again',
      nameProblem: (file) =>
        NAME.test(file) ? null : 'the name must consist of letters, digits, - and _ and end in .json',
    })
  }

  async #takeCheckin(checkin: ReadFile, file: string): Promise<'taken' | 'unknown'> {
    const { workers, checkins } = this.#host
    const worker = workers.inRepository(checkin.worker, this.#repository)
    if (worker === null) {
      const { worker: id, token } = checkin
      const place = { host: this.#host, repository: this.#repository }
      // Of a worker that has ended it comes too late.
      return wasWorker(place, { id, token }) ? 'taken' : 'unknown'
    }
    // Without a token it is a sign of life and nothing else.
    if (checkin.token === null) worker.plan.engine?.noteContact(worker.id, checkin.at)
    else if (!workers.hasToken(worker, checkin.token))
      checkins.noteStale(worker, 'checkin_stale', { said: checkin.content.status })
    else {
      await checkins.receive(worker, checkin, file)
      const taken = takenMessages(this.#messages, worker.id, waitingFor(worker))
      if (taken.length > 0) await recordDelivery(worker, taken, 'checkin')
    }
    return 'taken'
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
    return this.#troubles.attend('the coordination folder', () => {
      const problem = folderProblem(this.#folder)
      if (problem !== null) throw new Error(problem)
    })
  }
}

/**
 * Messages for a worker as files that `bosun-checkin` prints and removes, since most agents receive nothing while they
 * work. A mark beside each file records that it was placed, so a missing file was taken by the worker.
 */
type WaitingMessage = Pick<Message, 'id' | 'kind' | 'text'>

/** Writes new messages and removes those that no longer wait. */
export function placeMessages(all: string, worker: string, waiting: readonly WaitingMessage[]): void {
  const folder = join(all, worker)
  if (waiting.length === 0 && !existsSync(folder)) return
  requireFolders([all, folder], `messages to ${worker} are delayed`)
  const ids = new Set(waiting.map(({ id }) => String(id)))
  for (const name of readdirSync(folder)) {
    const id = /^(?:\.told-)?(\d+)(?:\.txt)?$/.exec(name)?.[1]
    if (id !== undefined && !ids.has(id)) rmSync(join(folder, name), { force: true })
  }
  for (const { id, kind, text } of waiting) {
    if (existsSync(markAt(folder, id))) continue
    atomicWriteSync(join(folder, `${id}.txt`), `${kind}: ${terminalText(text)}\n`)
    writeFileSync(markAt(folder, id), '', { mode: 0o600 })
  }
}

/** The waiting messages that the worker has taken. */
export function takenMessages(
  all: string,
  worker: string,
  waiting: readonly WaitingMessage[],
): readonly number[] {
  const folder = join(all, worker)
  return waiting
    .filter(({ id }) => existsSync(markAt(folder, id)) && !existsSync(join(folder, `${id}.txt`)))
    .map(({ id }) => id)
}

/** Removes the files of workers that have ended. */
export function forgetMessages(all: string, live: ReadonlySet<string>): void {
  if (!existsSync(all)) return
  requireFolders([all], 'old messages are not removed')
  for (const worker of readdirSync(all))
    if (!live.has(worker)) rmSync(join(all, worker), { recursive: true, force: true })
}

const markAt = (folder: string, id: number): string => join(folder, `.told-${id}`)

/** Requests that workers put here as files: taken once, and moved to `processed/` with their answers. */
interface Outcome {
  readonly outcome: string
  readonly text: string
  readonly request?: string
  readonly by?: string
}

async function takeRequests(place: DropPlace): Promise<void> {
  const { host, folder } = place
  for (const file of await folder.readSome(host.parts.clock.now())) await take(place, file)
}

async function take(place: DropPlace, { name, value }: DroppedFile): Promise<void> {
  const { host, folder } = place
  const { data: file, error } = requestFileSchema.safeParse(value)
  if (file === undefined) return folder.setAside(name, schemaProblem(error, 'the file'))
  if (!name.startsWith('req-')) return folder.setAside(name, 'the name must be req-<id>.json')
  const outcome = await outcomeOf(place, name.replace(/\.json$/, ''), file)
  if (outcome === null) return
  const { token: _token, ...asked } = file
  const at = iso(host.parts.clock.now())
  folder.finish(name, { ...asked, outcome: { ...outcome, at } })
}

/** Null while it waits for its answer. */
async function outcomeOf(place: DropPlace, ref: string, file: RequestFile): Promise<Outcome | null> {
  const { host, repository } = place
  const worker = host.workers.inRepository(file.worker_id, repository)
  if (worker === null)
    return wasWorker(place, { id: file.worker_id, token: file.token ?? null })
      ? { outcome: 'ended', text: 'its worker ended before the answer' }
      : { outcome: 'refused', text: `${file.worker_id} is not running` }
  if (file.token === undefined || !host.workers.hasToken(worker, file.token)) {
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

async function ask(worker: KnownWorker, ref: string, file: RequestFile): Promise<Outcome | null> {
  const { worker_id: _worker, token: _token, timestamp: _timestamp, type, text, ...data } = file
  const result = await receiveRequest(worker, { type, text, data: { ...data, id: ref } })
  return result.outcome === 'accepted' ? null : { outcome: result.outcome, text: result.why }
}

/** Whether the token is that of a worker, which has ended where it is not at work. */
const wasWorker = (
  { host, repository }: Pick<DropPlace, 'host' | 'repository'>,
  { id, token }: { readonly id: string; readonly token: string | null },
): boolean =>
  token !== null && plansIn(host, repository).some((plan) => host.workers.hasToken({ id, plan }, token))
