/** Words that no longer fit are kept in the log as ignored, but not without end: more of the same tells no reader anything. */
import type { PlanEvent } from '../core/events/plan-events.ts'
import { ignoredEvent } from './external-events.ts'

const MOST_OF_ONE_SPEAKER = 5

export class IgnoredEvents {
  readonly #heard = new Map<string, number>()

  /** What is written of it; nothing once the speaker has been ignored often enough. */
  of(from: string, about: string, why: string): readonly PlanEvent[] {
    const heard = (this.#heard.get(from) ?? 0) + 1
    this.#heard.set(from, heard)
    return heard <= MOST_OF_ONE_SPEAKER ? [ignoredEvent(from, about, why)] : []
  }
}
