/** Pauses and cancels a plan without a daemon: the event is written before any daemon loads the plan. */
import { rejectionReason } from '../../core/decide/admit.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { Repositories, Repository } from '../../ports/repositories.ts'
import type { SteeredAnswer } from '../../protocol/answers.ts'
import { repositoryAt, stateConflict, streamNamed } from '../host/find-stream.ts'
import { DamagedPlan, loadUndamaged, unloadedRefusal } from '../host/unloaded-plans.ts'
import { streamParts } from '../host/stream-name.ts'
import { hasEnded, isSoAlready, steeringEvent, type SteerRequest } from './steer-plan.ts'

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
