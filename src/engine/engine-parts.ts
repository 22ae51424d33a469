/** What an engine is made of, and what it answers. */
import type { PlanEvent } from '../core/events/plan-events.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog, StreamId } from '../ports/event-log.ts'
import type { World } from './performers/performer.ts'

export interface EngineParts {
  readonly clock: Clock
  readonly log: EventLog<PlanEvent>
  readonly world: World
  readonly stream: StreamId
  /** Told what was written, and where that is another plan's business as well passes it on. */
  readonly onWritten?: ((events: readonly PlanEvent[]) => void) | undefined
  /** Told when something went wrong that the engine itself lives through; for the diary, not for decisions. */
  readonly onError: (what: string, error: unknown) => void
}

export type Proposed = { readonly ok: true } | { readonly ok: false; readonly why: string }

/** Why the log cannot be written, for people. */
export function describeLogError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'remedy' in error ? `${error.message}. ${String(error.remedy)}` : error.message
}
