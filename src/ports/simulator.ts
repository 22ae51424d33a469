import type { EventOf, PlanEvent } from '../core/events/plan-events.ts'
import type { PlanStanding } from '../core/decide/standing.ts'
import type { PlanState } from '../core/state/state.ts'
import type { Entry } from './event-log.ts'

export interface SimulationRequest {
  readonly registered: EventOf<'plan.registered'>
  readonly seed: number
  /** `none`, `all`, or names of faults separated by commas. */
  readonly faults: string
}

export interface SimulationOutcome {
  readonly outcome: PlanStanding
  /** A violated invariant: a bug in Bosun, never in the plan. */
  readonly violation: string | null
  readonly state: PlanState
  readonly entries: readonly Entry<PlanEvent>[]
  readonly faults: readonly string[]
  /** In simulated time. */
  readonly elapsedMs: number
  readonly crashes: number
  readonly hash: string
}

export type Simulated =
  | { readonly ok: true; readonly result: SimulationOutcome }
  | {
      readonly ok: false
      readonly unknown: readonly string[]
      readonly known: Readonly<Record<string, string>>
    }

/**
 * Runs a plan against simulated workers on a virtual clock.
 * - The same request gives the same answer on every machine and day.
 * - It has no side effects.
 */
export interface Simulator {
  simulate(request: SimulationRequest): Promise<Simulated>
}
