/** The dependencies of an engine, and its answers. */
import type { InboxItem } from '../core/event-schemas/schemas.ts'
import type { PlanEvent } from '../core/events/plan-events.ts'
import type { Clock } from '../ports/clock.ts'
import type { StreamId } from '../ports/event-log.ts'
import type { World } from './performers/performer.ts'
import type { PlanLog } from './plan-log.ts'

export interface EngineParts {
  readonly clock: Clock
  readonly log: PlanLog
  readonly world: World
  readonly stream: StreamId
  /** Called with the written events, so that other plans can be informed. */
  readonly onWritten?: ((events: readonly PlanEvent[]) => void) | undefined
  /** Called with each open item once it is in the log, and again after the plan was loaded. */
  readonly onOpened?: ((item: InboxItem) => void) | undefined
  /** Called on errors that the engine survives, for the daemon log. */
  readonly onError: (what: string, error: unknown) => void
}

export type Proposed = { readonly ok: true } | { readonly ok: false; readonly why: string }

/** Why the log cannot be written, for people. */
export function describeLogError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'remedy' in error ? `${error.message}. ${String(error.remedy)}` : error.message
}
