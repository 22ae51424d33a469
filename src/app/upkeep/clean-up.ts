/** Cleans up after plans that ended long ago. Running and recently ended ones are left alone. */
import { loadPlan, readOn } from '../../engine/plan-log.ts'
import type { Instant, StreamId } from '../../ports/event-log.ts'
import type { CleanedAnswer } from '../../protocol/answers.ts'
import type { Host, HostParts } from '../host/host.ts'
import { isOver } from '../host/hosted-plan.ts'
import { allStreams, streamParts } from '../host/stream-name.ts'
import { isDamage } from '../activity/past-damage.ts'

export interface CleanUpParts extends Pick<HostParts, 'log' | 'caretakerOf'> {
  readonly repositories: Pick<HostParts['repositories'], 'list'>
  readonly now: Instant
}

/** A plan counts once it has been over for `olderThanMs`. */
export async function cleanUp(
  parts: CleanUpParts,
  olderThanMs: number,
): Promise<CleanedAnswer['repositories']> {
  const { log, now } = parts
  const streams = await allStreams(log)
  const cleaned: CleanedAnswer['repositories'][number][] = []
  for (const repository of await parts.repositories.list()) {
    const caretaker = await parts.caretakerOf(repository)
    if (caretaker === null) continue
    const own = streams.filter(({ stream }) => streamParts(stream)?.repository === repository.id)
    const plans = await Promise.all(own.map(({ stream }) => planFacts(parts, stream, olderThanMs)))
    const ended = plans.filter((plan) => plan.isLongOver)
    const alive = plans.filter((plan) => !plan.isLongOver)
    // Ids of workers of two plans may read the same: then the living one counts.
    const busy = new Set(alive.flatMap((plan) => plan.workers))
    const finished = ended.flatMap((plan) => plan.workers).filter((worker) => !busy.has(worker))
    const done = await caretaker.clean({
      finishedWorkers: new Set(finished),
      isIdle: alive.length === 0,
      keepSavedMs: olderThanMs,
      nowMs: now,
    })
    cleaned.push({ repo: repository.path, plans: ended.map((plan) => plan.id), ...done })
  }
  return cleaned
}

/** The same beside plans that live. None is registered meanwhile: it could need what is going. */
export function cleanUpBeside(host: Host, olderThanMs: number): Promise<CleanedAnswer['repositories']> {
  const { log, repositories, caretakerOf, clock } = host.parts
  return host.registrations.run(() =>
    cleanUp({ log, repositories, caretakerOf, now: clock.now() }, olderThanMs),
  )
}

async function planFacts({ log, now }: CleanUpParts, stream: StreamId, olderThanMs: number) {
  // Of a plan that cannot be read nothing is known, so nothing of it goes.
  const entries = await readOn(log, stream, 0).catch((error: unknown) => {
    if (isDamage(error)) return null
    throw error
  })
  if (entries === null) return { id: stream, isLongOver: false, workers: [] }
  const workers = entries.flatMap(({ event }) => ('worker' in event ? [event.worker] : []))
  const { state } = await loadPlan(log, stream)
  const isLongOver = isOver(state) && now - state.at >= olderThanMs
  return { id: state.plan.id, isLongOver, workers: [...new Set(workers)] }
}
