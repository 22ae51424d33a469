/** Applies one event to the state. What each event changes is in its definition. */
import { createState } from './plan/registered.ts'
import { definitionOf, type PlanEvent } from './plan-events.ts'
import type { Instant, PlanState } from '../state/state.ts'

/** The parts of a log entry that the fold reads. */
export interface Fact {
  readonly version: number
  readonly at: Instant
  readonly event: PlanEvent
}

/** Changes the state and returns it. The first event creates it; an edit of the plan replaces it. */
export function fold(state: PlanState | null, fact: Fact): PlanState {
  const next = state === null ? begin(fact) : apply(state, fact)
  next.version = fact.version
  next.at = fact.at
  return next
}

function begin({ event, at }: Fact): PlanState {
  if (event.type !== 'plan.registered')
    throw new Error(`the first event must be plan.registered, not ${event.type}`)
  return createState(event, at)
}

function apply(state: PlanState, { event, at }: Fact): PlanState {
  const definition = definitionOf(event.type)
  if (definition.replace !== undefined) return definition.replace(state, event, at)
  definition.apply(state, event, at)
  return state
}
