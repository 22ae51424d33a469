/** The invariants for provider limits and common failures. */
import type { EventOf, PlanEvent } from '../../core/events/plan-events.ts'
import type { Ledger } from './ledger.ts'

/** When something happened. */
export interface Moment {
  readonly wallMs: number
  /** Unmoved by jumps of the clock. */
  readonly elapsedMs: number
}

export interface KnownLimit {
  readonly until: number | null
  /** When a worker was last sent for it; null: none since, or a person wants one. */
  readonly sentMs: number | null
  readonly wasTried: boolean
}

const FIVE_MINUTES = 300_000
const WEEK = 7 * 24 * 3_600_000
const UNKNOWN = 'unknown agent'

type Sent = EventOf<'task.dispatched'> | EventOf<'review.dispatched'>
const roleOf = (event: Sent): string => (event.type === 'task.dispatched' ? event.role : 'reviewer')

export function sendingBreaks(ledger: Ledger, event: Sent, now: Moment): string | null {
  const role = roleOf(event)
  const agents = ledger.candidates.get(role) ?? [ledger.agents.get(role) ?? '']
  const broken = agents.map((agent) => limitBreaks(ledger.limits.get(agent), now))
  const [first = null] = broken
  if (first !== null && broken.every((one) => one !== null)) return `${event.worker} was dispatched ${first}`
  const { breaker } = ledger
  return breaker !== null && breaker.notBeforeMs > now.elapsedMs
    ? `${event.worker} was dispatched although the breaker is open`
    : null
}

/** Why a worker of this agent must not be dispatched; null where one may. */
function limitBreaks(limit: KnownLimit | undefined, { elapsedMs }: Moment): string | null {
  if (limit === undefined) return null
  if (limit.until !== null) return 'while its provider is limited'
  return limit.sentMs !== null && elapsedMs - limit.sentMs < FIVE_MINUTES
    ? 'within five minutes of the previous probe, to a provider that does not work'
    : null
}

export function freeingBreaks(ledger: Ledger, event: EventOf<'provider.freed'>, now: Moment): string | null {
  const limit = ledger.limits.get(event.agent)
  if (limit === undefined) return `${event.agent} works again, but was never limited`
  if (limit.until !== null) return now.wallMs >= limit.until ? null : `${event.agent} works again too early`
  return limit.wasTried ? null : `${event.agent} works again without a probe`
}

export function askingBreaks(ledger: Ledger, { item }: EventOf<'inbox.opened'>): string | null {
  if (item.subject !== 'breaker' && item.subject !== 'provider') return null
  const isOpen = [...ledger.items.values()].some(
    (open) => open.subject === item.subject && open.about === item.about,
  )
  return isOpen ? `the ${item.subject} is asked about twice` : null
}

export function recordProviders(ledger: Ledger, event: PlanEvent, now: Moment): void {
  if (event.type === 'task.dispatched' || event.type === 'review.dispatched') sent(ledger, event, now)
  if (event.type === 'worker.started') {
    const role = ledger.roles.get(event.worker) ?? ''
    ledger.agents.set(role, event.agent ?? UNKNOWN)
    if (event.candidates !== undefined) ledger.candidates.set(role, event.candidates)
  }
  if (event.type === 'worker.ended') ended(ledger, event, now)
  if (event.type === 'provider.freed') ledger.limits.delete(event.agent)
  if (event.type === 'plan.resumed') resumed(ledger)
  if (event.type === 'inbox.opened' && event.item.subject === 'breaker')
    ledger.breaker = { notBeforeMs: ledger.failedMs + FIVE_MINUTES }
  if (event.type === 'inbox.withdrawn' || event.type === 'inbox.answered') settled(ledger, event)
}

/** Resuming a plan allows an immediate probe. */
function resumed(ledger: Ledger): void {
  for (const agent of ledger.limits.keys()) wanted(ledger, agent)
  if (ledger.breaker !== null) ledger.breaker = { notBeforeMs: 0 }
}

function settled(ledger: Ledger, event: EventOf<'inbox.withdrawn'> | EventOf<'inbox.answered'>): void {
  const item = ledger.items.get(event.id)
  const isAnswer = event.type === 'inbox.answered'
  if (item?.subject === 'provider' && isAnswer) wanted(ledger, item.about ?? '')
  if (item?.subject === 'breaker') closed(ledger, isAnswer ? 0 : 1)
}

function sent(ledger: Ledger, event: Sent, { elapsedMs }: Moment): void {
  const role = roleOf(event)
  ledger.roles.set(event.worker, role)
  const agent = ledger.agents.get(role) ?? ''
  const limit = ledger.limits.get(agent)
  if (limit !== undefined) ledger.limits.set(agent, { ...limit, sentMs: elapsedMs, wasTried: true })
  if (ledger.breaker !== null) ledger.breaker = { notBeforeMs: elapsedMs + FIVE_MINUTES }
}

function ended(ledger: Ledger, event: EventOf<'worker.ended'>, { wallMs, elapsedMs }: Moment): void {
  const role = ledger.roles.get(event.worker) ?? ''
  const agent = event.agent ?? ledger.agents.get(role) ?? UNKNOWN
  ledger.agents.set(role, agent)
  const { end } = event
  if (end.kind === 'failed') ledger.failedMs = elapsedMs
  if (end.kind === 'failed' || end.kind === 'done') countAlike(ledger, event.task, end)
  if (end.kind !== 'limited') return
  const isUsable = end.until !== null && end.until > wallMs && end.until <= wallMs + WEEK
  const known = ledger.limits.get(agent)
  const later = Math.max(isUsable ? (end.until ?? 0) : 0, known?.until ?? 0)
  const { sentMs = null, wasTried = false } = known ?? {}
  ledger.limits.set(agent, { until: later === 0 ? null : later, sentMs, wasTried })
}

/** Three tasks in a row, or four failures at several tasks, in a short time. */
function countAlike(
  ledger: Ledger,
  task: string,
  end: { readonly kind: string; readonly reason?: string },
): void {
  const { alike } = ledger
  const { reason = '' } = end
  if (end.kind === 'done' || reason !== alike.reason) {
    const wasOpen = alike.tasks.size >= 3 || (alike.tasks.size > 1 && alike.times >= 4)
    if (end.kind === 'done' && wasOpen && !isAsked(ledger)) closed(ledger, 1)
    alike.tasks.clear()
    alike.times = 0
    alike.reason = reason
  }
  if (end.kind === 'done') return
  alike.tasks.add(task)
  alike.times++
}

const isAsked = (ledger: Ledger): boolean =>
  [...ledger.items.values()].some(({ subject }) => subject === 'breaker')

/** A person requests an immediate probe. */
function wanted(ledger: Ledger, agent: string): void {
  const limit = ledger.limits.get(agent)
  if (limit !== undefined) ledger.limits.set(agent, { ...limit, until: null, sentMs: null })
}

/** Common failures do not count against a task: at most this many of its restarts count as used. */
function closed(ledger: Ledger, most: number): void {
  ledger.breaker = null
  for (const task of ledger.tasks.values()) {
    if (task.lastEnd === 'failed') task.used.set('restart', Math.min(task.used.get('restart') ?? 0, most))
  }
}
