/** Which agents are parked because of their provider, and until when. */
import { providerAlert } from '../../delivery/inbox/provider-items.ts'
import type { DispatchReason, Role } from '../../event-schemas/schemas.ts'
import type { PlanEvent } from '../../events/plan-events.ts'
import { formatMoment } from '../../../lib/text/format-time.ts'
import type { Share } from '../../decide/owed.ts'
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

/** A worker that continues existing work is a fixer. */
export const roleFor = (task: TaskState, reason: DispatchReason): Role =>
  reason === 'fix' || reason === 'rework' || (task.feedback !== null && hasWork(task)) ? 'fixer' : 'developer'

const hasWork = ({ draft, doneBefore }: TaskState): boolean =>
  doneBefore !== null || (draft !== null && draft.changed.length > 0)

/** Null when a worker of this role may start. After the alert a probe time no longer counts as progress by itself. */
export function heldByProvider(state: PlanState, role: Role, now: Instant): Share | null {
  if (state.parked.size === 0) return null
  const agent = state.agents[role]
  // The role's agent is not known yet: the first worker shows it.
  if (agent === undefined) return isLaunching(state, role) ? {} : null
  const parked = state.parked.get(agent)
  if (parked === undefined) return null
  if (parked.until !== null) return { wakeAt: parked.until }
  if (parked.probe !== null || parked.over !== null || parked.signIn !== undefined) return {}
  if (parked.probeAt <= now) return null
  return parked.isAnnounced ? {} : { wakeAt: parked.probeAt }
}

function isLaunching(state: PlanState, role: Role): boolean {
  for (const { live } of state.active) if (live?.role === role && live.step === 'launching') return true
  return false
}

export function* owedByProviders(state: PlanState, moment: Moment): Generator<Share> {
  for (const [agent, parked] of state.parked) {
    if (parked.isNews) yield { decision: [limited(agent, parked)] }
    const over = overBy(state, parked, moment)
    if (over !== null) {
      yield { decision: [{ type: 'provider.freed', v: 1, agent, why: over }] }
      continue
    }
    if (parked.until !== null) yield { wakeAt: parked.until }
    else if (state.paused === null && waitFor(state, agent) > 0) yield suspended(state, agent, parked, moment)
  }
}

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
function suspended(state: PlanState, agent: string, parked: Parked, { now }: Moment): Share {
  const tellAt = parked.signIn === undefined ? parked.since + TELL_AFTER_MS : now
  if (!parked.isAnnounced && tellAt <= now)
    return { decision: [{ type: 'inbox.opened', v: 1, item: providerAlert(state, agent, parked) }] }
  if (parked.signIn !== undefined) return {}
  const live = probeOf(state, parked)
  const next = live === null ? parked.probeAt : Math.max(live.since + LIVES_MS, now + LOOK_MS)
  const looks = [...(parked.isAnnounced ? [] : [tellAt]), ...(next > now ? [next] : [])]
  return looks.length === 0 ? {} : { wakeAt: Math.min(...looks) }
}

/** How many tasks wait for this agent. */
export function waitFor(state: PlanState, agent: string): number {
  let waiting = state.agents.developer === agent ? state.ready.size : 0
  for (const task of state.active) {
    if (task.live !== null) continue
    const role = task.step === 'reviewing' ? 'reviewer' : task.step === 'deciding' ? nextRole(task) : null
    if (role !== null && state.agents[role] === agent) waiting++
  }
  return waiting
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
