/** Rejected input is logged as ignored, up to a limit for each sender. */
import type { PlanEvent } from '../core/events/plan-events.ts'
import { ignoredEvent } from './external-events.ts'

const MAX_PER_SENDER = 5

export class IgnoredEvents {
  readonly #counts = new Map<string, number>()

  /** The event to log; none once the sender has reached its limit. */
  of(from: string, about: string, why: string): readonly PlanEvent[] {
    const count = (this.#counts.get(from) ?? 0) + 1
    this.#counts.set(from, count)
    return count <= MAX_PER_SENDER ? [ignoredEvent(from, about, why)] : []
  }
}
