/** Updates what is known of the provider behind an agent, from workers' ends and other plans. */
import {
  LIMIT_PROBE_MS,
  PROBE_TURN_MS,
  breakerDelayMs,
  MAX_RESTARTS,
  MAX_REVIEWERS_LOST,
} from '../state/budgets.ts'
import type { WorkerEnd } from '../event-schemas/schemas.ts'
import type { EventOf } from '../events/plan-events.ts'
import { UNNAMED, type Parked, type Breaker, type Failures } from '../state/providers-state.ts'
import { askedAbout, type Instant, type LiveWorker, type PlanState } from '../state/state.ts'
import { agentFor } from '../watch/providers/parking.ts'
import { LONGEST_LIMIT_MS } from '../watch/providers/reset-times.ts'
import { failureSignature } from '../watch/providers/signature.ts'
import { isCommon } from '../watch/providers/breaker.ts'

/** Ends that are not caused by the provider. */
const UNRELATED_ENDS: ReadonlySet<WorkerEnd['kind']> = new Set(['stopped', 'interrupted'])

/** A worker was dispatched: if its agent is parked, it is the probe. */
export function probeSent(state: PlanState, { worker, role }: LiveWorker, at: Instant): void {
  const agent = agentFor(state, role, at) ?? state.agents[role]
  const parked = agent === undefined ? undefined : state.parked.get(agent)
  if (agent === undefined || parked === undefined || parked.until !== null) return
  state.parked.set(agent, { ...parked, probe: worker, probeAt: at + LIMIT_PROBE_MS, isNews: true })
}

/** Records the agent of a worker's role. */
export function agentSeen(state: PlanState, live: LiveWorker, reported: string | undefined): string {
  const agent = reported ?? live.agent ?? state.agents[live.role] ?? UNNAMED
  if (state.agents[live.role] !== agent) state.agents = { ...state.agents, [live.role]: agent }
  return agent
}

/** Records who could do the work of a role. */
export function candidatesSeen(
  state: PlanState,
  { role }: LiveWorker,
  candidates: readonly string[] | undefined,
): void {
  if (candidates !== undefined) state.candidates = { ...state.candidates, [role]: candidates }
}

/** A worker that was to probe one agent got another. */
export function probeMissed(state: PlanState, worker: string, agent: string): void {
  for (const [name, parked] of state.parked)
    if (name !== agent && parked.probe === worker) state.parked.set(name, { ...parked, probe: null })
}

export function providerSeen(
  state: PlanState,
  live: LiveWorker,
  { event, at }: { readonly event: EventOf<'worker.ended'>; readonly at: Instant },
): void {
  const agent = agentSeen(state, live, event.agent)
  const { end, worker } = event
  if (end.kind === 'interrupted' && end.protocol !== undefined)
    state.byCommand = { ...state.byCommand, [agent]: end.reason }
  if (end.kind === 'limited') {
    const why = end.why ?? `${worker} hit it`
    const { signIn } = end
    park(state, agent, { until: usable(end.until, at), why, signIn, at, probe: worker, isNews: true })
    return
  }
  const parked = state.parked.get(agent)
  if (parked?.probe !== worker) return
  const over = UNRELATED_ENDS.has(end.kind) ? null : `${worker} ended, and not because of a limit`
  state.parked.set(agent, { ...parked, probe: null, over })
}

/** A reset time that has passed or is implausibly far off is ignored. */
const usable = (until: Instant | null, at: Instant): Instant | null =>
  until !== null && until > at && until <= at + LONGEST_LIMIT_MS ? until : null

interface Limit {
  readonly until: Instant | null
  readonly why: string
  readonly signIn: string | undefined
  readonly at: Instant
  /** The worker that hit the limit, where it was one of this plan. */
  readonly probe: string | null
  readonly isNews: boolean
}

/** Never replaces better knowledge: the later reset counts, and a known one beats none. */
function park(state: PlanState, agent: string, limit: Limit): void {
  const { until, why, signIn, at, probe, isNews } = limit
  const known = state.parked.get(agent)
  // An item about the previous limit may still be open; it covers this one as well.
  const isOpen = state.asked.has(askedAbout({ subject: 'provider', about: agent }))
  if (known === undefined) {
    const fresh = { since: at, probe: null, probeAt: at + LIMIT_PROBE_MS, isAnnounced: isOpen, over: null }
    state.parked.set(agent, { ...fresh, until, why, signIn, isNews })
    return
  }
  const later = Math.max(until ?? 0, known.until ?? 0)
  const next = later === 0 ? null : later
  const stillProbing = known.probe === probe ? null : known.probe
  // A person answered that it is signed in, and it is not: ask again.
  const isSignedOut = signIn !== undefined && known.signIn === undefined
  const isNew = next !== known.until || isSignedOut
  state.parked.set(agent, {
    ...known,
    until: next,
    signIn: signIn ?? known.signIn,
    isAnnounced: isSignedOut ? isOpen : known.isAnnounced,
    why: isNew ? why : known.why,
    probe: stillProbing,
    isNews: known.isNews || (isNews && isNew),
    over: null,
  })
}

/** Written by this plan's own rules, or shared by another plan that uses the same agent. */
export function providerLimited(state: PlanState, event: EventOf<'provider.limited'>, at: Instant): void {
  const { agent, until, why, signIn, from } = event
  if (from !== undefined)
    park(state, agent, { until: usable(until, at), why, signIn, at, probe: null, isNews: false })
  const parked = state.parked.get(agent)
  if (parked === undefined) return
  state.parked.set(agent, from === undefined ? { ...parked, isNews: false } : behind(state, parked, at))
}

/** Another plan probes. This one probes only later, in case that one stops, and no two plans at the same moment. */
function behind(state: PlanState, parked: Parked, at: Instant): Parked {
  let turn = 0
  for (const char of state.plan.id) turn = (turn * 31 + char.charCodeAt(0)) % 60
  const probeAt = Math.max(parked.probeAt, at + LIMIT_PROBE_MS + PROBE_TURN_MS + turn * 1000)
  return { ...parked, probeAt }
}

/** Probes at once, since the provider may work again. */
export function probeNow(state: PlanState, agent: string, at: Instant): void {
  const parked = state.parked.get(agent)
  if (parked !== undefined)
    state.parked.set(agent, { ...parked, until: null, probeAt: at, signIn: undefined })
}

/** An inbox item was opened about the agent. */
export function noteProviderAlert(state: PlanState, agent: string): void {
  const parked = state.parked.get(agent)
  if (parked !== undefined) state.parked.set(agent, { ...parked, isAnnounced: true })
}

/** The number of tasks in a row, or of failures across tasks, that opens it. */
const TASKS = 3
const TIMES = 4

export function breakerProbeSent(state: PlanState, { worker }: LiveWorker): void {
  const { breaker } = state
  if (breaker !== null) state.breaker = { ...breaker, probe: worker, probes: breaker.probes + 1 }
}

export function failureSeen(state: PlanState, event: EventOf<'worker.ended'>, at: Instant): void {
  const { end, worker } = event
  if (state.breaker?.probe === worker) {
    const { breaker } = state
    state.breaker = { ...breaker, probe: null, probeAt: at + breakerDelayMs(breaker.probes) }
  }
  if (end.kind === 'done') return worked(state, worker)
  if (end.kind !== 'failed') return
  const failures = oneMore(state.failures, event.task, end.reason)
  state.failures = failures
  const isOpening = failures.tasks.length >= TASKS || (failures.tasks.length > 1 && failures.times >= TIMES)
  if (state.breaker !== null) state.breaker = stillOpen(state.breaker, failures, at)
  else if (isOpening)
    state.breaker = { ...failures, probes: 0, probe: null, probeAt: at + breakerDelayMs(0), over: null }
}

/** A failure of a worker that was already running does not delay the next probe. */
function stillOpen(breaker: Breaker, { signature, tasks, times }: Failures, at: Instant): Breaker {
  if (signature !== breaker.signature) return breaker
  return { ...breaker, tasks, times, probeAt: Math.max(breaker.probeAt, at + breakerDelayMs(0)) }
}

function oneMore(before: Failures | null, task: string, reason: string): Failures {
  const signature = failureSignature(reason)
  if (before === null || before.signature !== signature) return { signature, reason, tasks: [task], times: 1 }
  const tasks = before.tasks.includes(task) ? before.tasks : [...before.tasks, task]
  return { signature, reason, tasks, times: before.times + 1 }
}

function worked(state: PlanState, worker: string): void {
  state.failures = null
  if (state.breaker === null) return
  const isAsked = state.asked.has(askedAbout({ subject: 'breaker', about: null }))
  if (isAsked) state.breaker = { ...state.breaker, over: `${worker} ended well` }
  else closeBreaker(state, 'one more try')
}

/** Failures with a common cause do not count against the tasks: a person restores all attempts, a rule one. */
export function closeBreaker(state: PlanState, gives: 'fresh tries' | 'one more try'): void {
  const most = gives === 'fresh tries' ? 0 : MAX_RESTARTS - 1
  const mostLost = gives === 'fresh tries' ? 0 : MAX_REVIEWERS_LOST
  for (const task of state.active) {
    if (task.live !== null || !isCommon(state, task.cause)) continue
    const { restarts, reviewersLost } = task.counters
    task.counters = {
      ...task.counters,
      restarts: Math.min(restarts, most),
      reviewersLost: Math.min(reviewersLost, mostLost),
    }
  }
  state.breaker = null
  state.failures = null
}
