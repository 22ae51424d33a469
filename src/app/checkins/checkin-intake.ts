/** Receives every check-in, over HTTP or as a file: weighs it, stores it and passes it to the plan of its worker. */
import type { ReportedTests } from '../../core/event-schemas/requests.ts'
import type { Instant } from '../../core/state/state.ts'
import { requestsIn, claimIn, toolsAfter, type RememberedClaim } from '../../core/watch/checkins/checkin.ts'
import {
  MOST_AN_HOUR,
  NO_CHECKINS,
  withoutCheckin,
  weighCheckin,
  type RecentCheckins,
  type Weight,
} from '../../core/watch/checkins/weigh-checkin.ts'
import { nextClaim } from '../../core/watch/observed.ts'
import { fingerprint } from '../../lib/system/fingerprint.ts'
import type { NoteLog } from '../../ports/note-log.ts'
import { receiveRequest, spentIn, storedClaims, type ReadCheckin } from './worker-channel.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import type { KnownWorker, WorkerAtWork } from '../workers/live-workers.ts'

const KEPT_MS = 24 * 3_600_000
/** Notes of all repositories that are kept; a check-in is one. */
const MOST_NOTES = 100_000
const HOUR_MS = 3_600_000
/** Rows deleted in one transaction, so that it stays short. */
const PRUNE_ROWS = 500

interface Sender {
  recent: RecentCheckins
  claim: RememberedClaim | null
}

export interface Taken {
  readonly weight: Weight
  /** Corrections and rejections. */
  readonly notes: readonly string[]
}

export class CheckinIntake {
  readonly #host: Host
  readonly #log: NoteLog
  /** By stream and worker, as are the moments of the last stale words. */
  readonly #senders = new Map<string, Sender>()
  /** By stream: claims from before this daemon started. */
  #before: Awaited<ReturnType<typeof storedClaims>> = new Map()
  readonly #staleReportedAt = new Map<string, Instant>()
  #cancelPrune: () => void = () => undefined

  constructor(host: Host) {
    this.#host = host
    this.#log = host.parts.notes
  }

  /** Loads the claims from before this daemon started. */
  async load(): Promise<void> {
    this.#before = await storedClaims(this.#log)
    this.#pruneLater(0)
  }

  /** Gives a loaded plan the earlier claims of its workers. */
  recall(plan: HostedPlan): void {
    const now = this.#host.parts.clock.now()
    for (const [worker, { tools, ...claim }] of this.#before.get(plan.home.stream) ?? []) {
      if (this.#host.workers.inRepository(worker, plan.home.repository.id)?.plan !== plan) continue
      plan.engine?.recallClaim(worker, claim)
      // The clock may have gone back since they began.
      for (const [name, at] of Object.entries(tools))
        plan.engine?.noteTool(worker, name, { isStart: true, at: Math.min(at, now) })
    }
  }

  /** Takes the check-in of an authenticated worker. If it counts, it is durable when this resolves. */
  async receive(worker: KnownWorker, given: ReadCheckin, file: string | null = null): Promise<Taken> {
    const { plan, id } = worker
    const read = this.#withoutSecrets(given)
    const sender = this.#sender(worker)
    const digest = { at: read.at, content: fingerprint(read.json), isNews: isNews(read, sender.claim) }
    const { weight, recent, isFlood } = weighCheckin(sender.recent, digest)
    sender.recent = recent
    if (isFlood)
      this.#note(worker, 'checkin_flood', { most_an_hour: MOST_AN_HOUR, said: read.content.status })
    this.#noteTools(worker, read)
    const before = sender.claim
    const tools = toolsAfter(before?.tools ?? {}, read.content, read.at)
    if (weight !== 'counts') {
      plan.engine?.noteContact(id, read.at)
      // Declared tool calls must survive a restart even if the check-in itself does not count.
      if (before !== null && tools !== before.tools) {
        const claim = { ...before, tools }
        const who = { stream: plan.home.stream, worker: id }
        await this.#claiming(sender, claim, () => this.#log.remember(who, claim))
      }
      return { weight, notes: [...read.notes, WEIGHT_NOTES[weight]] }
    }
    const update = claimIn(read.content, read.at)
    const claim = { ...nextClaim(before, update), tools }
    const note = {
      ...aboutWorker(worker),
      at: this.#host.parts.clock.now(),
      event: 'checkin_received',
      data: read.notes.length === 0 ? read.json : JSON.stringify({ ...read.content, notes: read.notes }),
    }
    const kept = { stream: plan.home.stream, file, claim }
    const added = await this.#claiming(sender, claim, () => this.#host.notes.addCheckin(note, kept)).catch(
      (error: unknown) => {
        sender.recent = withoutCheckin(sender.recent, digest)
        throw error
      },
    )
    if (added === 'known') {
      // Its requests may have been lost in a crash; repeating them is harmless.
      await this.#receiveRequests(worker, read, file)
      return { weight: 'duplicate', notes: [WEIGHT_NOTES.duplicate] }
    }
    // Requests first: the watch makes one for a reported issue that has none.
    const notes = [...read.notes, ...(await this.#receiveRequests(worker, read, file))]
    plan.engine?.noteClaim(id, update)
    if (read.content.tests !== undefined) await this.#reportTests(worker, read.content.tests)
    const used = spentIn(read.content)
    if (used !== null) plan.engine?.noteUsage(id, used, worker.task)
    return { weight, notes }
  }

  #withoutSecrets(read: ReadCheckin): ReadCheckin {
    const content = this.#host.parts.hide?.inAll(read.content) ?? read.content
    return content === read.content ? read : { ...read, content, json: JSON.stringify(content) }
  }

  /** What comes with the token of another attempt changes nothing, and is logged once an hour. */
  noteStale(
    worker: WorkerAtWork,
    event: 'checkin_stale' | 'call_stale',
    data: Readonly<Record<string, unknown>>,
  ): void {
    const key = `${event} ${keyOf(worker)}`
    const now = this.#host.parts.clock.now()
    if (now < (this.#staleReportedAt.get(key) ?? 0) + HOUR_MS) return
    this.#staleReportedAt.set(key, now)
    this.#note(worker, event, data)
  }

  close(): void {
    this.#cancelPrune()
  }

  #sender(worker: KnownWorker): Sender {
    const known = this.#senders.get(keyOf(worker))
    if (known !== undefined) return known
    const claim = this.#before.get(worker.plan.home.stream)?.get(worker.id) ?? null
    const sender: Sender = { recent: NO_CHECKINS, claim }
    this.#senders.set(keyOf(worker), sender)
    return sender
  }

  /** Later check-ins build on the new claim at once; it is rolled back if it cannot be stored. */
  async #claiming<T>(sender: Sender, claim: RememberedClaim, store: () => Promise<T>): Promise<T> {
    const before = sender.claim
    sender.claim = claim
    try {
      return await store()
    } catch (error) {
      if (sender.claim === claim) sender.claim = before
      throw error
    }
  }

  /** Passes the requests to the plan; returns why some were rejected. */
  async #receiveRequests(
    worker: KnownWorker,
    { content }: ReadCheckin,
    file: string | null,
  ): Promise<readonly string[]> {
    const notes: string[] = []
    for (const [index, { type, text, data }] of requestsIn(content).entries()) {
      const ref = file === null ? {} : { id: `${file.replaceAll(/[^\w.-]/g, '_').slice(-90)}.${index}` }
      const result = await receiveRequest(worker, { type, text, data: { ...ref, ...data } })
      if (result.outcome !== 'accepted') notes.push(`requests.${index}: ${result.why}`)
    }
    return notes
  }

  async #reportTests({ plan, id, task }: KnownWorker, tests: ReportedTests): Promise<void> {
    const attempt = plan.state.tasks.get(task)?.live?.attempt
    // One that has ended meanwhile is rejected, and its work goes to the gates.
    if (attempt !== undefined)
      await plan.propose({ type: 'tests.reported', v: 1, worker: id, task, attempt, tests })
  }

  /** A running tool call excuses silence, even if the check-in itself does not count. */
  #noteTools({ plan, id }: KnownWorker, { content, at }: ReadCheckin): void {
    if (content.tool_start !== undefined) plan.engine?.noteTool(id, content.tool_start, { isStart: true, at })
    if (content.tool_end !== undefined) plan.engine?.noteTool(id, content.tool_end, { isStart: false, at })
  }

  #note(worker: WorkerAtWork, event: string, data: Readonly<Record<string, unknown>>): void {
    this.#host.notes.addSoon({ ...aboutWorker(worker), at: this.#host.parts.clock.now(), event, data })
  }

  #pruneLater(delayMs: number): void {
    const { clock, onError } = this.#host.parts
    this.#cancelPrune = clock.wake(delayMs, () => {
      this.#prune(clock.now() - KEPT_MS).catch((error: unknown) => onError('deleting old notes', error))
      this.#pruneLater(HOUR_MS)
    })
  }

  async #prune(before: Instant): Promise<void> {
    const live = new Set([...this.#host.workers.all()].map(keyOf))
    for (const key of this.#senders.keys()) if (!live.has(key)) this.#senders.delete(key)
    const hourAgo = this.#host.parts.clock.now() - HOUR_MS
    for (const [key, at] of this.#staleReportedAt) if (at < hourAgo) this.#staleReportedAt.delete(key)
    while ((await this.#log.prune({ notes: MOST_NOTES, claimsSince: before }, PRUNE_ROWS)) > 0);
  }
}

const isNews = ({ content }: ReadCheckin, before: RememberedClaim | null): boolean =>
  content.status !== before?.status ||
  content.requests !== undefined ||
  content.issues !== undefined ||
  content.tests !== undefined

const keyOf = ({ plan, id }: WorkerAtWork): string => `${plan.home.stream} ${id}`

const aboutWorker = ({ plan, id, task }: WorkerAtWork) => ({
  repository: plan.home.repository.id,
  plan: plan.id,
  worker: id,
  task,
})

const WEIGHT_NOTES = {
  duplicate: 'duplicate of a check-in within the last minute; it counts once',
  late: 'at least an hour older than the newest check-in; counted as a sign of life only',
  too_many: `more than ${MOST_AN_HOUR} check-ins in an hour; counted as a sign of life only`,
} as const satisfies Record<Exclude<Weight, 'counts'>, string>
