/** Cancels a plan that could not be loaded: its workers are stopped and their work is saved. */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import { loadPlan } from '../../engine/plan-log.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { StreamId } from '../../ports/event-log.ts'
import type { Host } from '../host/host.ts'
import { unloadedRefusal, type UnloadedPlan } from '../host/unloaded-plans.ts'
import { streamParts } from '../host/stream-name.ts'

export interface GiveUpRequest {
  readonly plan: string
  readonly repository?: string | undefined
  /** The plan's last event. */
  readonly event: PlanEvent
  /** The caller confirmed that the plan is damaged. */
  readonly isDamaged: boolean
}

/** False if the plan is loaded; then nothing was done. */
export async function giveUpPlan(host: Host, request: GiveUpRequest): Promise<boolean> {
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
  new Refusal({
    code: 'conflict',
    message: `plan ${id} is not damaged`,
    remedy: `Cancel it without --damaged: bosun cancel ${id}`,
  })
