/** Plans that are in the log and could not be taken up: why, whether their events can be read, and when to try again. */
import type { Instant, StreamId } from '../../ports/event-log.ts'
import type { Repository } from '../../ports/repositories.ts'

export interface RestingPlan {
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

interface Rest extends RestingPlan {
  readonly tries: number
  readonly nextTryAt: Instant
}

const FIRST_RETRY_MS = 5000
const LONGEST_RETRY_MS = 5 * 60_000

export class RestingPlans {
  readonly #all = new Map<StreamId, Rest>()

  all(): readonly RestingPlan[] {
    return [...this.#all.values()]
  }

  get(stream: StreamId): RestingPlan | undefined {
    return this.#all.get(stream)
  }

  /** Says whether that was not known. */
  add(plan: Omit<RestingPlan, 'since'>, now: Instant): boolean {
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
