/**
 * The invariants for requests: each is answered while its worker runs, and the rules never grant more time than allowed.
 */
import type { InboxItem } from '../../core/event-schemas/schemas.ts'
import type { EventOf, PlanEvent } from '../../core/events/plan-events.ts'
import type { PlanSettings } from '../../core/event-schemas/plan-settings.ts'
import { formatDuration } from '../../lib/text/format-time.ts'

const MOST_OPEN = 5
const MOST_MINUTES_BY_RULE = 60
/** A request waits for three times what a stall takes. */
const EXPIRES_AFTER_STALLS = 3
/** Restarts of the log and the like take a moment. */
const SLACK_MS = 5 * 60_000

interface Open {
  readonly worker: string
  /** From when on it had to be answered: since it was asked, or a PM was there to answer. */
  since: number
}

export class RequestRecords {
  readonly open = new Map<string, Open>()
  readonly known = new Set<string>()
  readonly started = new Set<string>()
  readonly minutesByRule = new Map<string, number>()
  /** The worker that an inbox item is about. */
  readonly askedAbout = new Map<string, string>()
  readonly longestMs: number

  constructor({ stalledMs }: PlanSettings) {
    this.longestMs = stalledMs * EXPIRES_AFTER_STALLS + SLACK_MS
  }
}

export function unansweredBreaks(records: RequestRecords, elapsedMs: number): string | null {
  for (const [id, { worker, since }] of records.open) {
    if (!records.started.has(worker) || elapsedMs - since <= records.longestMs) continue
    return `${id} has been open for ${formatDuration(elapsedMs - since)}`
  }
  return null
}

export function receivedBreaks(
  records: RequestRecords,
  { worker, request }: EventOf<'request.received'>,
): string | null {
  if (records.known.has(request.id)) return `${request.id} was asked twice`
  const open = [...records.open.values()].filter((one) => one.worker === worker)
  return open.length >= MOST_OPEN ? `${worker} has more than ${MOST_OPEN} open requests` : null
}

export function answeredBreaks(
  records: RequestRecords,
  { worker, id, answer }: EventOf<'request.answered'>,
): string | null {
  if (!records.open.has(id)) return `${id} was answered and is not open`
  const { by, minutes = 0, outcome } = answer
  if (minutes > 0 && outcome !== 'granted') return `${id} was ${outcome}, and ${worker} got ${minutes} min`
  const given = (records.minutesByRule.get(worker) ?? 0) + (by === 'bosun' ? minutes : 0)
  return given > MOST_MINUTES_BY_RULE ? `the rules gave ${worker} ${given} min` : null
}

export function recordRequest(records: RequestRecords, event: PlanEvent, elapsedMs: number): void {
  if (event.type === 'request.received') {
    records.known.add(event.request.id)
    records.open.set(event.request.id, { worker: event.worker, since: elapsedMs })
  }
  if (event.type === 'request.answered') settle(records, event)
  if (event.type === 'worker.started') records.started.add(event.worker)
  if (event.type === 'worker.condemned' || event.type === 'worker.ended') forget(records, event.worker)
  if (event.type === 'inbox.opened') noteItem(records, event.item)
  if (event.type === 'inbox.answered' && STOPPED_BY_HAND.has(event.choice)) {
    // A person stopped it, which is in no other event.
    const worker = records.askedAbout.get(event.id)
    if (worker !== undefined) forget(records, worker)
  }
  // There was no person to answer, or another clock measured it.
  if (COUNTS_ANEW.has(event.type)) for (const one of records.open.values()) one.since = elapsedMs
}

const COUNTS_ANEW: ReadonlySet<PlanEvent['type']> = new Set([
  'worker.started',
  'plan.edited',
  'pm.started',
  'clock.jumped',
])

function settle(records: RequestRecords, { id, worker, answer }: EventOf<'request.answered'>): void {
  records.open.delete(id)
  const given = records.minutesByRule.get(worker) ?? 0
  if (answer.by === 'bosun') records.minutesByRule.set(worker, given + (answer.minutes ?? 0))
}

const STOPPED_BY_HAND: ReadonlySet<string> = new Set(['restart', 'kill'])

function noteItem(records: RequestRecords, { id, subject, about }: InboxItem): void {
  const asked = subject === 'request' ? records.open.get(about ?? '') : undefined
  const worker = subject === 'worker' ? about : (asked?.worker ?? null)
  if (worker !== null) records.askedAbout.set(id, worker)
}

function forget(records: RequestRecords, worker: string): void {
  for (const [id, one] of records.open) if (one.worker === worker) records.open.delete(id)
}
