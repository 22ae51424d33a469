/** Pauses, resumes and cancels a plan: with a daemon, without one, and where it cannot be loaded. Each is durable when it resolves. */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { SteeredAnswer } from '../../protocol/answers.ts'
import type { SteerRequest as SteerBody } from '../../protocol/requests.ts'
import { stateConflict, repositoryAt, streamNamed, streamParts } from '../host/stream-name.ts'
import type { Host } from '../host/host.ts'
import type { PlanState } from '../../core/state/state.ts'
import { isOver } from '../host/hosted-plan.ts'
import { rejectionReason } from '../../core/decide/admit.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import type { EventLog, StreamId } from '../../ports/event-log.ts'
import type { Repositories, Repository } from '../../ports/repositories.ts'
import { DamagedPlan, loadUndamaged, unloadedRefusal, type UnloadedPlan } from '../host/unloaded-plans.ts'
import { loadPlan } from '../../engine/plan-log.ts'
import { type Refusal, refusal } from '../../lib/refusal.ts'

export type Steering = 'pause' | 'resume' | 'cancel'

/** `now` with `pause`: workers are stopped, their work is saved. `damaged` with `cancel`: its events are not looked at. */
export interface SteerRequest extends Omit<SteerBody, 'repo'> {
  readonly what: Steering
  readonly plan: string
  readonly repository?: string | undefined
}

export async function steerPlan(host: Host, request: SteerRequest): Promise<SteeredAnswer> {
  if (request.what === 'cancel') {
    const { plan: id, repository, damaged: isDamaged = false } = request
    if (await giveUpPlan(host, { plan: id, repository, event: steeringEvent(request), isDamaged }))
      return { plan: id, changed: true }
  }
  const plan = await host.find(request.plan, request.repository)
  if (isSoAlready(plan.state, request.what)) return { plan: plan.id, changed: false }
  if (hasEnded(plan.state)) throw stateConflict(`plan ${plan.id} has ended`)
  const done = await plan.propose(steeringEvent(request))
  if (!done.ok && !isSoAlready(plan.state, request.what)) throw stateConflict(done.why)
  return { plan: plan.id, changed: done.ok }
}

export const hasEnded = (state: PlanState): boolean => state.cancelled !== null || isOver(state)

export function isSoAlready(state: PlanState, what: Steering): boolean {
  switch (what) {
    case 'pause':
      return state.paused !== null
    case 'resume':
      return state.paused === null
    case 'cancel':
      return state.cancelled !== null
  }
}

export function steeringEvent({ what, by, reason, now }: SteerRequest): PlanEvent {
  switch (what) {
    case 'pause':
      return {
        type: 'plan.paused',
        v: 1,
        by,
        reason: reason === '' ? `paused by ${by}` : reason,
        stopWorkers: now,
      }
    case 'resume':
      return { type: 'plan.resumed', v: 1, by }
    case 'cancel':
      return { type: 'plan.cancelled', v: 1, by, reason: reason === '' ? 'no reason given' : reason }
  }
}

/** Pauses and cancels a plan without a daemon: the event is written before any daemon loads the plan. */
export interface StoppedLog {
  readonly log: EventLog<LogEvent>
  readonly repositories: Pick<Repositories, 'find' | 'list'>
}

export interface SteeredWithoutDaemon extends SteeredAnswer {
  /** The workers to stop, and their folders. */
  readonly repository: Repository | null
  readonly workers: readonly string[]
}

/** `request.repository` is a path. It is durable when this resolves. */
export async function steerWithoutDaemon(
  { log, repositories }: StoppedLog,
  request: SteerRequest & { readonly at: number },
): Promise<SteeredWithoutDaemon> {
  const near = await repositoryAt(repositories, request.repository)
  const stream = await streamNamed(log, request.plan, near)
  const state = await loadUndamaged(log, stream).catch((error: unknown) => {
    if (!(error instanceof DamagedPlan)) throw error
    throw unloadedRefusal({ stream, kind: 'damaged', why: error.message })
  })
  const { id } = state.plan
  const unchanged = { plan: id, changed: false, repository: null, workers: [] }
  if (isSoAlready(state, request.what)) return unchanged
  if (hasEnded(state)) throw stateConflict(`plan ${id} has ended`)
  const event = steeringEvent(request)
  const why = rejectionReason(state, event)
  if (why !== null) throw stateConflict(why)
  const done = await log.append({
    stream,
    expectedVersion: state.version,
    at: Math.max(request.at, state.at),
    events: [event],
  })
  if (!done.ok) throw new Error(`another process writes to ${stream}`)
  const isStopping = request.what === 'cancel' || request.now
  const workers = [...state.active].flatMap(({ live }) => (live === null ? [] : [live.worker]))
  const repository = await repositories.find(streamParts(stream)?.repository ?? '')
  // No daemon will load it again to stop its workers.
  if (repository === null && request.what === 'cancel') await log.closeStream(stream)
  return { plan: id, changed: true, repository, workers: isStopping ? workers : [] }
}

/** Cancels a plan that could not be loaded: its workers are stopped and their work is saved. */
interface GiveUpRequest {
  readonly plan: string
  readonly repository?: string | undefined
  /** The plan's last event. */
  readonly event: PlanEvent
  /** The caller confirmed that the plan is damaged. */
  readonly isDamaged: boolean
}

/** False if the plan is loaded; then nothing was done. */
async function giveUpPlan(host: Host, request: GiveUpRequest): Promise<boolean> {
  const stream = await host.named(request.plan, request.repository)
  const unloaded = host.unloaded.get(stream)
  if (unloaded === undefined) {
    if (request.isDamaged) throw notDamaged(request.plan)
    return false
  }
  if (unloaded.kind === 'damaged' && !request.isDamaged) throw unloadedRefusal(unloaded)
  if (unloaded.kind === 'hindered' && request.isDamaged) throw notDamaged(request.plan)
  await endForGood(host, unloaded, request.event)
  return true
}

/** Appends without folding, since the events may be unreadable. */
export async function endForGood(host: Host, unloaded: UnloadedPlan, event: PlanEvent): Promise<void> {
  const { log, clock, stopOrphans } = host.parts
  const { stream, repository, kind } = unloaded
  const known = kind === 'hindered' ? await knownFacts(host, stream) : { workers: [], isCancelled: false }
  const plan = streamParts(stream)?.plan ?? stream
  if (repository !== null) await stopOrphans({ repository, plan, workers: known.workers })
  if (!known.isCancelled) {
    const done = await log.append({
      stream,
      expectedVersion: await versionOf(host, stream),
      at: clock.now(),
      events: [event],
    })
    if (!done.ok) throw new Error(`another process writes to ${stream}`)
  }
  await log.closeStream(stream)
  host.unloaded.delete(stream)
}

async function knownFacts(host: Host, stream: StreamId) {
  const { state } = await loadPlan(host.parts.log, stream)
  const workers = [...state.active].flatMap(({ live }) => (live === null ? [] : [live.worker]))
  return { workers, isCancelled: state.cancelled !== null }
}

async function versionOf(host: Host, stream: StreamId): Promise<number> {
  const open = await host.parts.log.streams({ open: true })
  return open.find((info) => info.stream === stream)?.version ?? 0
}

const notDamaged = (id: string): Refusal =>
  refusal('conflict', `plan ${id} is not damaged`, `Cancel it without --damaged: bosun cancel ${id}`)
