/**
 * What a running worker may send to Bosun (check-ins, reports, requests), and the messages it gets: the same by HTTP and by MCP.
 * A check-in is validated and made safe to print; errors name the key.
 */
import { type Refusal, refusal } from '../../lib/refusal.ts'
import type { Host } from '../host/host.ts'
import type { CheckinAnswer } from '../../protocol/answers.ts'
import type { KnownWorker, WorkerAtWork } from '../workers/live-workers.ts'
import type { Message } from '../../core/event-schemas/watch.ts'
import { deliveryEvents } from '../../core/watch/pausing.ts'
import type { EventOf } from '../../core/events/plan-events.ts'
import { askedRequestSchema, type AskedForm } from '../../core/watch/requests/asked-request.ts'
import { requestEvents, type Asked } from '../../engine/external-events.ts'
import { terminalLine, isPlainJson } from '../../lib/text/terminal-text.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import type { Instant } from '../../core/state/state.ts'
import {
  checkinFileSchema,
  checkinSchema,
  timeOf,
  claimSchema,
  type Checkin,
  type RememberedClaim,
} from '../../core/watch/checkins/checkin.ts'
import type { z } from 'zod'
import { tokensFrom, usdFrom } from '../../core/event-schemas/amounts.ts'
import type { Spent } from '../../core/state/spending.ts'
import type { NoteLog } from '../../ports/note-log.ts'
import type { StreamId } from '../../ports/event-log.ts'

/** Each call is durable when it resolves, and throws a refusal for what is invalid. */
export interface WorkerChannel {
  checkin(body: unknown): Promise<ChannelAnswer>
  report(data: Readonly<Record<string, unknown>>): Promise<ChannelAnswer>
  request(input: RequestInput): Promise<ChannelAnswer>
  instructions(): Promise<Pick<ChannelAnswer, 'instructions'>>
}

export interface ChannelAnswer {
  /** Whether it counts. */
  readonly accepted: boolean
  /** Of an accepted request. */
  readonly id?: string
  /** Why it does not count. */
  readonly why?: string
  readonly notes?: readonly string[]
  /** The messages that waited for the worker. */
  readonly instructions: CheckinAnswer['instructions']
}

/** The caller has authenticated the worker. */
export function workerChannel(host: Host, worker: KnownWorker): WorkerChannel {
  const waiting = () => takeMessages(worker, 'checkin')
  return {
    checkin: (body) => receiveCheckin(host, worker, body),
    report: async (data) => {
      await receiveReport(host, worker, data)
      return { accepted: true, instructions: await waiting() }
    },
    request: async (input) => {
      const result = await receiveRequest(worker, input)
      switch (result.outcome) {
        case 'accepted':
          return { accepted: true, id: result.id, instructions: await waiting() }
        case 'ignored':
          return { accepted: false, why: result.why, instructions: await waiting() }
        case 'refused':
          throw refusal(
            'usage',
            `invalid request: ${result.why}`,
            'Send {"type": "need_help", "text": "…"}; docs/watch.md lists all keys.',
          )
      }
    },
    instructions: async () => ({ instructions: await takeMessages(worker, 'instructions') }),
  }
}

/** Counts like a report file in the worker's folder; durable when this resolves. */
async function receiveReport(
  host: Host,
  { plan, id, task }: KnownWorker,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const clean = host.parts.hide?.inAll(data) ?? data
  if (plan.world.handIn?.(id, clean) !== true) {
    throw refusal('conflict', `attempt ${id} has ended`, 'Exit now.')
  }
  await host.notes.add({
    repository: plan.home.repository.id,
    at: host.parts.clock.now(),
    event: 'report_received',
    worker: id,
    task,
    plan: plan.id,
    data: clean,
  })
}

/** A check-in that counts is durable when this resolves. Throws a refusal if it is invalid or of another worker. */
export async function receiveCheckin(host: Host, worker: KnownWorker, body: unknown): Promise<CheckinAnswer> {
  const reading = readCheckin(body, host.parts.clock.now())
  if (!reading.ok) throw refused(reading.problem)
  const { checkin } = reading
  if (checkin.worker !== null && checkin.worker !== worker.id)
    throw refused(`worker_id: the token belongs to ${worker.id}`)
  const { weight, notes } = await host.checkins.receive(worker, checkin)
  const instructions = waitingFor(worker).length === 0 ? [] : await takeMessages(worker, 'checkin')
  return { accepted: weight === 'counts' || weight === 'duplicate', instructions, notes }
}

const refused = (message: string): Refusal =>
  refusal('usage', message, 'The format is in docs/schemas/checkin.schema.json.')

/** Messages that wait until their worker receives them. */
type Way = EventOf<'worker.heard'>['via']

export function waitingFor({ plan, task, id }: WorkerAtWork): readonly Message[] {
  const live = plan.state.tasks.get(task)?.live
  // The answer to a permission is not for the model, which cannot give it.
  return live?.worker === id ? live.watch.waiting.filter(({ permission }) => permission === undefined) : []
}

/** Returns the waiting messages and records their delivery, once. */
export async function takeMessages(worker: KnownWorker, via: Way): Promise<readonly Message[]> {
  const waiting = waitingFor(worker)
  if (waiting.length === 0) return []
  const isNoted = await recordDelivery(
    worker,
    waiting.map(({ id }) => id),
    via,
  )
  return isNoted ? waiting : []
}

/** False if they were delivered before, or the worker has ended. */
export async function recordDelivery(
  worker: KnownWorker,
  messages: readonly number[],
  via: Way,
): Promise<boolean> {
  const { plan, id, task } = worker
  const done = await plan.proposeAsNow((state) => {
    const live = state.tasks.get(task)?.live
    return live?.worker === id ? deliveryEvents(task, live, { messages, via }) : `${id} has ended`
  })
  return done.ok
}

/** Receives a worker's request and passes it to its plan, where the rules or a person answer it. */
type ReceivedRequest =
  /** It is stored and will be answered. */
  | { readonly outcome: 'accepted'; readonly id: string }
  /** A repetition, or one too many. */
  | { readonly outcome: 'ignored'; readonly why: string }
  /** Invalid. */
  | { readonly outcome: 'refused'; readonly why: string }

interface RequestInput {
  readonly type: string
  readonly text: string
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

/** The caller has authenticated the worker. */
export async function receiveRequest(
  worker: { readonly id: string; readonly plan: HostedPlan },
  { type, text, data = {} }: RequestInput,
): Promise<ReceivedRequest> {
  const { data: form, error } = askedRequestSchema.safeParse({ ...data, type, text })
  if (form === undefined) return { outcome: 'refused', why: schemaProblem(error, 'the request') }
  const asked = askedIn(worker.plan.world.hide?.inAll(form) ?? form)
  let id: string | null = null
  const done = await worker.plan.proposeAsNow((state) => {
    const events = requestEvents(state, worker.id, asked)
    const first = typeof events === 'string' ? undefined : events[0]
    id = first?.type === 'request.received' ? first.request.id : null
    return events
  })
  if (!done.ok) return { outcome: 'ignored', why: done.why }
  return id === null
    ? { outcome: 'ignored', why: 'too many requests are open; wait for their answers' }
    : { outcome: 'accepted', id }
}

/** Texts that people read are on one line, without escape sequences. */
function askedIn({ type, text, minutes, tokens, to, priority, id }: AskedForm): Asked {
  return {
    kind: type,
    text: terminalLine(text.toWellFormed()).trim(),
    priority,
    ...(minutes === undefined ? {} : { minutes }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(to === undefined ? {} : { to: terminalLine(to.toWellFormed()).trim() || 'nobody' }),
    ...(id === undefined ? {} : { ref: id }),
  }
}

export interface ReadCheckin {
  /** Without worker and time. */
  readonly content: Content
  /** The same as JSON. */
  readonly json: string
  readonly worker: string | null
  readonly at: Instant
  /** Corrections. */
  readonly notes: readonly string[]
}

type Content = Omit<Checkin, 'worker_id' | 'timestamp'>

export type ReadFile = ReadCheckin & { readonly worker: string; readonly token: string | null }

export type Reading<T> =
  | { readonly ok: true; readonly checkin: T }
  | { readonly ok: false; readonly problem: string }

export function readCheckin(value: unknown, receivedAt: Instant): Reading<ReadCheckin> {
  const { data, error } = checkinSchema.safeParse(value)
  return data === undefined
    ? { ok: false, problem: schemaProblem(error, 'the check-in') }
    : { ok: true, checkin: taken(data, receivedAt) }
}

export function readCheckinFile(
  value: unknown,
  receivedAt: Instant,
  writtenAt = receivedAt,
): Reading<ReadFile> {
  const { data, error } = checkinFileSchema.safeParse(value)
  if (data === undefined) return { ok: false, problem: schemaProblem(error, 'the check-in') }
  const { token = null, ...checkin } = data
  return { ok: true, checkin: { ...taken(checkin, receivedAt, writtenAt), worker: checkin.worker_id, token } }
}

function taken(checkin: Checkin, receivedAt: Instant, writtenAt = receivedAt): ReadCheckin {
  const { worker_id: worker = null, timestamp, ...content } = checkin
  const claimedAt = timestamp === undefined ? null : withinSecond(Date.parse(timestamp), writtenAt)
  const { at, note } = timeOf(claimedAt, receivedAt)
  const notes = [...(note === null ? [] : [note]), ...unspentIn(content)]
  return { ...readable(content), worker, at, notes }
}

/**
 * Shells give the time in seconds, others in milliseconds. A whole second becomes the time of receipt within that second,
 * or a later check-in could count as an earlier one.
 */
const withinSecond = (claimedAt: Instant, receivedAt: Instant): Instant =>
  claimedAt % 1000 === 0 ? Math.min(Math.max(claimedAt, Math.floor(receivedAt)), claimedAt + 999) : claimedAt

function readable(content: Content): Pick<ReadCheckin, 'content' | 'json'> {
  const json = JSON.stringify(content)
  if (isPlainJson(json)) return { content, json }
  const fit = shown(content)
  return { content: fit, json: JSON.stringify(fit) }
}

/** Removes escape sequences, control characters and line breaks from all texts. */
function shown<T>(value: T): T
function shown(value: unknown): unknown {
  if (typeof value === 'string') return terminalLine(value.toWellFormed())
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => shown(one as unknown))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [shown(key), shown(one as unknown)]))
}

/** The first thing that a schema found wrong, with its key after `prefix`; `whole` names the value itself. Safe to print. */
export function schemaProblem({ issues: [issue] }: z.ZodError, whole: string, prefix = ''): string {
  const key = issue?.path.join('.') ?? ''
  return terminalLine(`${key === '' ? whole : `${prefix}${key}`}: ${issue?.message ?? 'is invalid'}`)
}

/** From `token_usage` and the metric `usd`; null without either. */
export function spentIn({ token_usage, metrics }: Checkin): Spent | null {
  const tokens = tokensFrom(numberIn(token_usage)) ?? 0
  const usd = usdFrom(numberIn(metrics?.['usd'])) ?? 0
  return tokens > 0 || usd > 0 ? { tokens, usd } : null
}

/** What was claimed and cannot be true. */
function unspentIn({ token_usage, metrics }: Checkin): readonly string[] {
  const [tokens, usd] = [numberIn(token_usage), numberIn(metrics?.['usd'])]
  return [
    ...(tokens !== undefined && tokensFrom(tokens) === null
      ? ['token_usage: no count of tokens; not counted']
      : []),
    ...(usd !== undefined && usdFrom(usd) === null ? ['metrics.usd: no cost; not counted'] : []),
  ]
}

const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value

/** The last claims by stream and worker. An invalid one is dropped; its worker will check in again. */
export async function storedClaims(
  log: Pick<NoteLog, 'claims'>,
): Promise<ReadonlyMap<StreamId, ReadonlyMap<string, RememberedClaim>>> {
  const all = new Map<StreamId, Map<string, RememberedClaim>>()
  for (const { stream, worker, claim: stored } of await log.claims()) {
    const { data: claim } = claimSchema.safeParse(stored)
    if (claim === undefined) continue
    all.set(stream, (all.get(stream) ?? new Map<string, RememberedClaim>()).set(worker, claim))
  }
  return all
}
