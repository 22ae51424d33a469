/** Plans that are in the log and could not be taken up: why, whether their events can be read, and when to try again. */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { PlanState } from '../../core/state/state.ts'
import { loadPlan } from '../../engine/plan-log.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { EventReader, Instant, StreamId } from '../../ports/event-log.ts'
import type { Repository } from '../../ports/repositories.ts'
import { isDamage } from '../activity/past-damage.ts'
import { streamParts } from './stream-name.ts'

export interface UnloadedPlan {
  readonly stream: StreamId
  readonly repository: Repository | null
  readonly why: string
  /** The events of a damaged plan make no state; a hindered one lacks something else, which may come back. */
  readonly kind: 'damaged' | 'hindered'
  readonly since: Instant
}

/** Its events cannot be read, or do not fit together. */
export class DamagedPlan extends Error {
  override readonly name = 'DamagedPlan'
  readonly remedy =
    'What can be read of it is in the file that bosun export FILE writes. A new plan needs another id (`plan:` in its front matter).'
}

interface Rest extends UnloadedPlan {
  readonly tries: number
  readonly nextTryAt: Instant
}

const FIRST_RETRY_MS = 5000
const LONGEST_RETRY_MS = 5 * 60_000

export class UnloadedPlans {
  readonly #all = new Map<StreamId, Rest>()

  all(): readonly UnloadedPlan[] {
    return [...this.#all.values()]
  }

  get(stream: StreamId): UnloadedPlan | undefined {
    return this.#all.get(stream)
  }

  /** Says whether that was not known. */
  add(plan: Omit<UnloadedPlan, 'since'>, now: Instant): boolean {
    const before = this.#all.get(plan.stream)
    const tries = (before?.tries ?? 0) + 1
    const nextTryAt = now + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1))
    this.#all.set(plan.stream, { ...plan, since: before?.since ?? now, tries, nextTryAt })
    return before?.why !== plan.why
  }

  delete(stream: StreamId): void {
    this.#all.delete(stream)
  }

  /** What may have come back by now. Damage does not heal by itself. */
  due(now: Instant): readonly StreamId[] {
    return [...this.#all.values()]
      .filter(({ kind, nextTryAt }) => kind === 'hindered' && nextTryAt <= now)
      .map(({ stream }) => stream)
  }
}

/** What whoever means such a plan is told. */
export function unloadedRefusal({
  stream,
  kind,
  why,
}: Pick<UnloadedPlan, 'stream' | 'kind' | 'why'>): Refusal {
  const id = streamParts(stream)?.plan ?? stream
  const isDamaged = kind === 'damaged'
  return new Refusal({
    code: 'conflict',
    message: isDamaged ? `plan ${id} is damaged: ${why}` : `plan ${id} cannot be taken up: ${why}`,
    remedy: isDamaged
      ? `Save what can be read (bosun export FILE), then end it: bosun cancel --damaged ${id}`
      : `It is tried again by itself once that is settled; to try at once: bosun answer plan:${id} retry. To give it up: bosun cancel ${id}`,
  })
}

/** The state of a plan. Throws DamagedPlan where what was written makes none. */
export async function loadUndamaged(log: EventReader<PlanEvent>, stream: StreamId): Promise<PlanState> {
  return undamaged(async () => (await loadPlan(log, stream)).state)
}

/** Throws DamagedPlan where what is read makes no sense. */
export async function undamaged<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // What the store cannot do at the moment is no damage.
    if (error instanceof Error && 'problem' in error && !isDamage(error)) throw error
    throw new DamagedPlan(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
