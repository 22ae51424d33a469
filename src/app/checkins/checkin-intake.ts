/** Where every check-in comes in, by whichever door: weighed, kept, and told to whoever watches its worker. */
import type { Instant } from '../../core/state/state.ts'
import {
  claimSchema,
  requestsIn,
  saidIn,
  toolsAfter,
  type RememberedClaim,
} from '../../core/watch/checkins/checkin.ts'
import { nextClaim } from '../../core/watch/observed.ts'
import {
  MOST_AN_HOUR,
  NOTHING_HEARD,
  unheard,
  weighCheckin,
  type Heard,
  type Weight,
  type Word,
} from '../../core/watch/checkins/weigh-checkin.ts'
import { fingerprint } from '../../lib/system/fingerprint.ts'
import type { CheckinLog } from '../../ports/checkin-log.ts'
import type { StreamId } from '../../ports/event-log.ts'
import { receiveRequest } from './receive-request.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import type { KnownWorker } from '../workers/live-workers.ts'
import type { ReadCheckin } from './read-checkin.ts'
import { spentIn } from './spent-in.ts'

const KEPT_MS = 24 * 3_600_000
const HOUR_MS = 3_600_000
/** Rows that go in one transaction, so that nobody waits for it. */
const PRUNE_ROWS = 500

interface Speaker {
  heard: Heard
  claim: RememberedClaim | null
}

export interface Taken {
  readonly weight: Weight
  /** What was taken otherwise than it was said, or not at all. */
  readonly notes: readonly string[]
}

export class CheckinIntake {
  readonly #host: Host
  readonly #log: CheckinLog
  /** By stream and worker: found without making a key of the two. */
  readonly #speakers = new Map<StreamId, Map<string, Speaker>>()
  /** By stream: what workers said before this daemon began. */
  readonly #before = new Map<StreamId, Map<string, RememberedClaim>>()
  readonly #staleToldAt = new Map<string, Instant>()
  #cancelPrune: () => void = () => undefined

  constructor(host: Host) {
    this.#host = host
    this.#log = host.parts.checkins
  }

  /** Reads what was said before this daemon began. */
  async load(): Promise<void> {
    for (const { stream, worker, claim: kept } of await this.#log.claims()) {
      // One of another Bosun's shape is forgotten: its worker speaks again.
      const { data: claim } = claimSchema.safeParse(kept)
      if (claim === undefined) continue
      const claims = this.#before.get(stream) ?? new Map<string, RememberedClaim>()
      this.#before.set(stream, claims.set(worker, claim))
    }
    this.#pruneLater(0)
  }

  /** Tells a plan that is taken up what its workers said before. */
  recall(plan: HostedPlan): void {
    const now = this.#host.parts.clock.now()
    for (const [worker, { tools, ...claim }] of this.#before.get(plan.home.stream) ?? []) {
      if (this.#host.workers.inRepository(worker, plan.home.repository.id)?.plan !== plan) continue
      plan.recallClaim(worker, claim)
      // The clock may have gone back since they began.
      for (const [name, at] of Object.entries(tools))
        plan.noteTool(worker, name, { isStart: true, at: Math.min(at, now) })
    }
  }

  /** Takes the words of a worker that has proven to be it. They are durable when this resolves, if they count. */
  async hear(worker: KnownWorker, read: ReadCheckin, file: string | null = null): Promise<Taken> {
    const { plan, id } = worker
    const speaker = this.#speaker(worker)
    const word = { at: read.at, content: fingerprint(read.json), isNews: isNews(read, speaker.claim) }
    const { weight, heard, isFlood } = weighCheckin(speaker.heard, word)
    speaker.heard = heard
    if (isFlood) this.#note(worker, 'checkin_flood', { most_an_hour: MOST_AN_HOUR, said: read.said.status })
    this.#noteTools(worker, read)
    const before = speaker.claim
    const tools = toolsAfter(before?.tools ?? {}, read.said, read.at)
    if (weight !== 'counts') {
      plan.noteContact(id, read.at)
      // It is a lease for the next daemon as well, however much else was said: only the claim grows by it.
      if (before !== null && tools !== before.tools) await this.#remember(worker, { ...before, tools })
      return { weight, notes: [...read.notes, WEIGHT_NOTES[weight]] }
    }
    const said = saidIn(read.said, read.at)
    const claim = { ...nextClaim(before, said), tools }
    if ((await this.#keep(worker, read, { file, word, claim })) === 'known') {
      // Whether its requests were heard before the crash is not known: they are the same, and heard once.
      await this.#hearRequests(worker, read, file)
      return { weight: 'duplicate', notes: [WEIGHT_NOTES.duplicate] }
    }
    // First what it asks, since an issue that nobody asks about is asked for it.
    const notes = asks(read) ? [...read.notes, ...(await this.#hearRequests(worker, read, file))] : read.notes
    plan.noteClaim(id, said)
    const used = spentIn(read.said)
    if (used !== null) plan.noteUsage(id, used, worker.task)
    if (read.notes.length === 0) this.#note(worker, 'checkin_received', read.said, read.json)
    else this.#note(worker, 'checkin_received', { ...read.said, notes: read.notes })
    return { weight, notes }
  }

  /** Somebody spoke in the name of a worker and proved nothing: it lives, and that is all. */
  hearUnproven({ plan, id }: KnownWorker, at: Instant): void {
    plan.noteContact(id, at)
  }

  /** Somebody spoke in the name of a worker with the token of another attempt: told once an hour, and changes nothing. */
  hearStale(worker: KnownWorker, read: ReadCheckin): void {
    const key = keyOf(worker.plan, worker.id)
    const now = this.#host.parts.clock.now()
    if (now < (this.#staleToldAt.get(key) ?? 0) + HOUR_MS) return
    this.#staleToldAt.set(key, now)
    this.#note(worker, 'checkin_stale', { said: read.said.status })
  }

  close(): void {
    this.#cancelPrune()
  }

  #speaker({ plan, id }: KnownWorker): Speaker {
    const { stream } = plan.home
    const known = this.#speakers.get(stream)?.get(id)
    if (known !== undefined) return known
    const claim = this.#before.get(stream)?.get(id) ?? null
    const speaker: Speaker = { heard: NOTHING_HEARD, claim }
    const ofPlan = this.#speakers.get(stream) ?? new Map<string, Speaker>()
    this.#speakers.set(stream, ofPlan.set(id, speaker))
    return speaker
  }

  async #keep(
    worker: KnownWorker,
    { json, at }: ReadCheckin,
    {
      file,
      word,
      claim,
    }: { readonly file: string | null; readonly word: Word; readonly claim: RememberedClaim },
  ): Promise<'kept' | 'known'> {
    const { stream } = worker.plan.home
    const heardAt = this.#host.parts.clock.now()
    const checkin = { stream, worker: worker.id, at, heardAt, file, said: json }
    try {
      return await this.#claiming(worker, claim, () => this.#log.append(checkin, claim))
    } catch (error) {
      const speaker = this.#speaker(worker)
      speaker.heard = unheard(speaker.heard, word)
      throw error
    }
  }

  #remember(worker: KnownWorker, claim: RememberedClaim): Promise<void> {
    const who = { stream: worker.plan.home.stream, worker: worker.id }
    return this.#claiming(worker, claim, () => this.#log.remember(who, claim))
  }

  /** What is said meanwhile goes on from the new claim; one that could not be kept was never made. */
  async #claiming<T>(worker: KnownWorker, claim: RememberedClaim, keep: () => Promise<T>): Promise<T> {
    const speaker = this.#speaker(worker)
    const before = speaker.claim
    speaker.claim = claim
    try {
      return await keep()
    } catch (error) {
      if (speaker.claim === claim) speaker.claim = before
      throw error
    }
  }

  /** Tells the plan what it asks for; answers with what of it was not heard, and why. */
  async #hearRequests(
    worker: KnownWorker,
    { said }: ReadCheckin,
    file: string | null,
  ): Promise<readonly string[]> {
    const notes: string[] = []
    for (const [index, { type, text, data }] of requestsIn(said).entries()) {
      const ref = file === null ? {} : { id: `${file.replaceAll(/[^\w.-]/g, '_').slice(-90)}.${index}` }
      const heard = await receiveRequest(worker, { type, text, data: { ...ref, ...data } })
      if (heard.outcome !== 'heard') notes.push(`requests.${index}: ${heard.why}`)
    }
    return notes
  }

  /** A tool call in flight is a lease on silence, however much else was said. */
  #noteTools({ plan, id }: KnownWorker, { said, at }: ReadCheckin): void {
    if (said.tool_start !== undefined) plan.noteTool(id, said.tool_start, { isStart: true, at })
    if (said.tool_end !== undefined) plan.noteTool(id, said.tool_end, { isStart: false, at })
  }

  /** The check-in itself is kept already: its line may wait for others. */
  #note(
    { plan, id, task }: KnownWorker,
    event: string,
    data: Readonly<Record<string, unknown>>,
    dataJson?: string,
  ): void {
    const timestamp = new Date(this.#host.parts.clock.now()).toISOString()
    const line = { timestamp, event, worker_id: id, task_id: task, plan_id: plan.id, data }
    this.#host.journal.noteSoon(plan.home.repository.id, line, dataJson)
  }

  #pruneLater(delayMs: number): void {
    const { clock, onError } = this.#host.parts
    this.#cancelPrune = clock.wake(delayMs, () => {
      this.#prune(clock.now() - KEPT_MS).catch((error: unknown) => onError('forgetting old check-ins', error))
      this.#pruneLater(HOUR_MS)
    })
  }

  async #prune(before: Instant): Promise<void> {
    const live = new Set([...this.#host.workers.all()].map(({ plan, id }) => keyOf(plan, id)))
    this.#host.workers.tidy()
    for (const [stream, speakers] of this.#speakers) {
      for (const id of speakers.keys()) if (!live.has(`${stream} ${id}`)) speakers.delete(id)
      if (speakers.size === 0) this.#speakers.delete(stream)
    }
    for (const key of this.#staleToldAt.keys()) if (!live.has(key)) this.#staleToldAt.delete(key)
    while ((await this.#log.prune(before, PRUNE_ROWS)) > 0);
  }
}

const isNews = ({ said }: ReadCheckin, before: RememberedClaim | null): boolean =>
  said.status !== before?.status || said.requests !== undefined || said.issues !== undefined

const asks = ({ said }: ReadCheckin): boolean => said.requests !== undefined

const keyOf = ({ home }: HostedPlan, worker: string): string => `${home.stream} ${worker}`

const WEIGHT_NOTES = {
  duplicate: 'the same was said within the minute: it counts once',
  late: 'it is older than what was said since by an hour or more',
  too_many: `more than ${MOST_AN_HOUR} check-ins in an hour: it counts as a sign of life only`,
} as const satisfies Record<Exclude<Weight, 'counts'>, string>
