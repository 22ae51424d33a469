/** Plans of the log that could not be loaded: why, whether they are damaged, and when to retry. */
import type { LogEvent } from '../../core/log/log-events.ts'
import type { PlanState } from '../../core/state/state.ts'
import { loadPlan } from '../../engine/plan-log.ts'
import { type Refusal, refusal } from '../../lib/refusal.ts'
import type { EventReader, Instant, StreamId } from '../../ports/event-log.ts'
import type { Repository } from '../../ports/repositories.ts'
import { isDamage } from '../activity/past-damage.ts'
import { streamParts } from './stream-name.ts'

export interface UnloadedPlan {
  readonly stream: StreamId
  readonly repository: Repository | null
  readonly why: string
  /** The events of a `damaged` plan do not fold to a state; a `hindered` one lacks something that may come back. */
  readonly kind: 'damaged' | 'hindered'
  readonly since: Instant
}

/** Its events are unreadable or inconsistent. */
export class DamagedPlan extends Error {
  override readonly name = 'DamagedPlan'
  readonly remedy =
    'Save what is readable: bosun export FILE. A new plan needs another id (`plan:` in its front matter).'
}

interface Retried extends UnloadedPlan {
  readonly tries: number
  readonly nextTryAt: Instant
}

const FIRST_RETRY_MS = 5000
const LONGEST_RETRY_MS = 5 * 60_000

export class UnloadedPlans {
  readonly #all = new Map<StreamId, Retried>()

  all(): readonly UnloadedPlan[] {
    return [...this.#all.values()]
  }

  get(stream: StreamId): UnloadedPlan | undefined {
    return this.#all.get(stream)
  }

  /** Keeps why a plan could not be loaded. Returns whether this is news. */
  add(
    { stream, repository }: Pick<UnloadedPlan, 'stream' | 'repository'>,
    error: unknown,
    now: Instant,
  ): boolean {
    const why = error instanceof Error ? error.message : String(error)
    const kind = error instanceof DamagedPlan ? 'damaged' : 'hindered'
    const plan = { stream, repository, why, kind } as const
    const before = this.#all.get(stream)
    const tries = (before?.tries ?? 0) + 1
    const nextTryAt = now + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1))
    this.#all.set(stream, { ...plan, since: before?.since ?? now, tries, nextTryAt })
    return before?.why !== why
  }

  delete(stream: StreamId): void {
    this.#all.delete(stream)
  }

  /** Plans to retry now. Damaged ones are not retried. */
  due(now: Instant): readonly StreamId[] {
    return [...this.#all.values()]
      .filter(({ kind, nextTryAt }) => kind === 'hindered' && nextTryAt <= now)
      .map(({ stream }) => stream)
  }
}

/** The refusal for commands on such a plan. */
export function unloadedRefusal({
  stream,
  kind,
  why,
}: Pick<UnloadedPlan, 'stream' | 'kind' | 'why'>): Refusal {
  const id = streamParts(stream)?.plan ?? stream
  const isDamaged = kind === 'damaged'
  return refusal(
    'conflict',
    isDamaged ? `plan ${id} is damaged: ${why}` : `cannot load plan ${id}: ${why}`,
    isDamaged
      ? `Save what is readable (bosun export FILE), then cancel it: bosun cancel --damaged ${id}`
      : `Fix the cause; loading is retried automatically. To retry now: bosun answer plan:${id} retry. To give up: bosun cancel ${id}`,
  )
}

/** Loads the state of a plan. Throws DamagedPlan if its events do not fold to one. */
export async function loadUndamaged(log: EventReader<LogEvent>, stream: StreamId): Promise<PlanState> {
  return undamaged(async () => (await loadPlan(log, stream)).state)
}

/** Turns errors of reading and folding into DamagedPlan. */
export async function undamaged<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // A temporary failure of the store is not damage.
    if (error instanceof Error && 'problem' in error && !isDamage(error)) throw error
    throw new DamagedPlan(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
