/** Which agents are parked because of their provider, and until when. */
import { opened } from '../../delivery/inbox/inbox-items.ts'
import { providerAlert } from '../../delivery/inbox/request-items.ts'
import type { DispatchReason, Role } from '../../event-schemas/schemas.ts'
import type { PlanEvent } from '../../events/plan-events.ts'
import { formatMoment } from '../../../lib/text/format-time.ts'
import type { Obligation } from '../../decide/owed.ts'
import type { Parked } from '../../state/providers-state.ts'
import type { Instant, LiveWorker, PlanState, TaskState } from '../../state/state.ts'
import type { Moment } from '../health.ts'
import { lastSeen } from '../observed.ts'

/** A probe that still shows life after this long has succeeded. */
const LIVES_MS = 120_000
/** How often that is looked at. */
const LOOK_MS = 15_000
/** Without success for this long, a person is alerted. */
export const TELL_AFTER_MS = 900_000

/** The role that the plan names, also for later attempts. Else a worker that continues existing work is a fixer. */
export function roleFor(task: TaskState, reason: DispatchReason): Role {
  const { role = 'developer' } = task.spec
  if (role !== 'developer') return role
  return reason === 'fix' || reason === 'rework' || (task.feedback !== null && hasWork(task)) ? 'fixer' : role
}

const hasWork = ({ draft, doneBefore }: TaskState): boolean =>
  doneBefore !== null || (draft !== null && draft.changed.length > 0)

/** Null when a worker of this role may start. */
export function heldByProvider(state: PlanState, role: Role, now: Instant): Obligation | null {
  if (state.parked.size === 0) return null
  const names = candidatesFor(state, role)
  // The role's agent is not known yet: the first worker shows it.
  if (names.length === 0) return isLaunching(state, role) ? {} : null
  if (agentFor(state, role, now) !== null) return null
  const times = names.flatMap((name) => {
    const standing = standingOf(state.parked.get(name), now)
    return standing.kind === 'held' ? (standing.wakeAt ?? []) : []
  })
  return times.length === 0 ? {} : { wakeAt: Math.min(...times) }
}

/** Who could do the work of this role, the first choice first; empty while that is not known. */
function candidatesFor(state: PlanState, role: Role): readonly string[] {
  const [last, known = []] = [state.agents[role], state.candidates[role]]
  return last === undefined || known.includes(last) ? known : [last, ...known]
}

/** A limit that ends within this time is waited for; until a later end another agent works. */
const WORTH_WAITING_MS = 600_000

/** The agent that a worker of this role would get now; null where every one is parked, or its own is free soon. */
export function agentFor(state: PlanState, role: Role, now: Instant): string | null {
  const [first, ...others] = candidatesFor(state, role)
  if (first === undefined) return null
  const parked = state.parked.get(first)
  if (standingOf(parked, now).kind !== 'held') return first
  if (parked !== undefined && isWorthWaiting(parked, now)) return null
  const are = (kind: Standing['kind']) => (name: string) =>
    standingOf(state.parked.get(name), now).kind === kind
  return others.find(are('free')) ?? others.find(are('probed')) ?? null
}

const isWorthWaiting = ({ until }: Parked, now: Instant): boolean =>
  until !== null && until <= now + WORTH_WAITING_MS

type Standing =
  | { readonly kind: 'free' }
  /** It is time for a worker that probes it. */
  | { readonly kind: 'probed' }
  | { readonly kind: 'held'; readonly wakeAt?: Instant }

/** After the alert a probe time no longer counts as progress by itself. */
function standingOf(parked: Parked | undefined, now: Instant): Standing {
  if (parked === undefined) return { kind: 'free' }
  if (parked.until !== null) return { kind: 'held', wakeAt: parked.until }
  if (parked.probe !== null || parked.over !== null || parked.signIn !== undefined) return { kind: 'held' }
  if (parked.probeAt <= now) return { kind: 'probed' }
  return parked.isAnnounced ? { kind: 'held' } : { kind: 'held', wakeAt: parked.probeAt }
}

/** Agents that this worker must not get, and why. */
export const unusableFor = (state: PlanState, worker: string): readonly UnusableAgent[] =>
  [...state.parked].flatMap(([agent, parked]) =>
    parked.probe === worker ? [] : [{ agent, why: formatLimit(parked, state.at) }],
  )

export interface UnusableAgent {
  readonly agent: string
  readonly why: string
}

function isLaunching(state: PlanState, role: Role): boolean {
  for (const { live } of state.active) if (live?.role === role && live.step === 'launching') return true
  return false
}

export function* owedByProviders(state: PlanState, moment: Moment): Generator<Obligation> {
  for (const [agent, parked] of state.parked) {
    if (parked.isNews) yield { decision: [limited(agent, parked)] }
    const over = overBy(state, parked, moment)
    if (over !== null) {
      yield { decision: [{ type: 'provider.freed', v: 1, agent, why: over }] }
      continue
    }
    if (parked.until !== null) yield { wakeAt: parked.until }
    else if (state.paused === null && isMissed(state, agent, parked))
      yield suspended(state, agent, parked, moment)
  }
}

/** Tasks wait for it, or others do the work of the one that is signed out. */
const isMissed = (state: PlanState, agent: string, { signIn }: Parked): boolean =>
  waitFor(state, agent) > 0 ||
  (signIn !== undefined && state.active.size + state.ready.size > 0 && isFirstChoice(state, agent))

const isFirstChoice = ({ candidates }: PlanState, agent: string): boolean =>
  Object.values(candidates).some(([first]) => first === agent)

function limited(agent: string, { until, why, probe, signIn }: Parked): PlanEvent {
  const more = { ...(probe === null ? {} : { probe }), ...(signIn === undefined ? {} : { signIn }) }
  return { type: 'provider.limited', v: 1, agent, until, why, ...more }
}

function overBy(state: PlanState, parked: Parked, { now, observed }: Moment): string | null {
  if (parked.over !== null) return parked.over
  if (parked.until !== null) return parked.until <= now ? 'its reset time has passed' : null
  const live = probeOf(state, parked)
  if (live === null || live.step !== 'working') return null
  const signs = observed.workers.get(live.worker)
  const seen = signs === undefined ? null : lastSeen(signs)
  return seen !== null && seen >= live.since + LIVES_MS ? `${live.worker} is working with it` : null
}

function probeOf(state: PlanState, { probe }: Parked): LiveWorker | null {
  if (probe === null) return null
  for (const { live } of state.active) if (live?.worker === probe) return live
  return null
}

/**
 * Without a known reset a probe starts every few minutes, and a person is alerted after a while. About an agent that is
 * not signed in a person is asked at once, and nothing probes.
 */
function suspended(state: PlanState, agent: string, parked: Parked, { now }: Moment): Obligation {
  const tellAt = parked.signIn === undefined ? parked.since + TELL_AFTER_MS : now
  if (!parked.isAnnounced && tellAt <= now)
    return {
      decision: [opened(providerAlert(state, agent, { ...parked, waiting: waitFor(state, agent) }))],
    }
  if (parked.signIn !== undefined) return {}
  const live = probeOf(state, parked)
  const next = live === null ? parked.probeAt : Math.max(live.since + LIVES_MS, now + LOOK_MS)
  const looks = [...(parked.isAnnounced ? [] : [tellAt]), ...(next > now ? [next] : [])]
  return looks.length === 0 ? {} : { wakeAt: Math.min(...looks) }
}

/** How many tasks wait for this agent. */
export function waitFor(state: PlanState, agent: string): number {
  let waiting = waitsFor(state, 'developer', agent) ? state.ready.size : 0
  for (const task of state.active) {
    if (task.live !== null) continue
    const role = task.step === 'reviewing' ? 'reviewer' : task.step === 'deciding' ? nextRole(task) : null
    if (role !== null && waitsFor(state, role, agent)) waiting++
  }
  return waiting
}

/** No other agent does its work meanwhile. */
function waitsFor(state: PlanState, role: Role, agent: string): boolean {
  const names = candidatesFor(state, role)
  if (!names.includes(agent)) return false
  const parked = state.parked.get(agent)
  const isAwaited = names[0] === agent && parked !== undefined && isWorthWaiting(parked, state.at)
  return isAwaited || names.every((name) => state.parked.has(name))
}

function nextRole(task: TaskState): Role {
  const kind = task.cause?.kind ?? null
  const isOnDraft =
    kind === 'gates_failed' || kind === 'conflict' || kind === 'refused' || kind === 'changes_requested'
  return roleFor(task, isOnDraft ? 'fix' : 'again')
}

/** The parked agents with their limits and the number of waiting tasks; null if no task waits. */
export function formatParked(state: PlanState): string | null {
  const parts = [...state.parked].flatMap(([agent, parked]) => {
    const waiting = waitFor(state, agent)
    const tasks = waiting === 1 ? '1 task waits' : `${waiting} tasks wait`
    return waiting === 0 ? [] : [`${agent} ${formatLimit(parked, state.at)}; ${tasks}`]
  })
  return parts.length === 0 ? null : `parked: ${parts.join('; ')}`
}

export function formatLimit(
  { until, why, probe, signIn }: Pick<Parked, 'until' | 'why' | 'probe' | 'signIn'>,
  at: Instant,
): string {
  if (until !== null) return `is limited until ${formatMoment(until, at)} UTC`
  if (signIn !== undefined) return `is not signed in (${why})`
  const trying = probe === null ? 'retrying every 5 min' : `${probe} is checking whether it works again`
  return `is not available (${why}), ${trying}`
}

/** What a probe checks; null for an ordinary worker. */
export function probedBy(state: PlanState, worker: string): string | null {
  for (const [agent, { probe }] of state.parked)
    if (probe === worker) return `is checking whether ${agent} works again`
  return state.breaker?.probe === worker ? 'is checking whether workers still fail with the same error' : null
}
