/** The outcome of a plan for a caller that waits and cannot answer. */
import { canMove } from './owed.ts'
import type { Instant, OpenItem, PlanState } from '../state/state.ts'
import { NOT_STARTED } from '../delivery/not-started.ts'

/**
 * - `moving`: something can still happen without a person.
 * - `released`: the release gate passed and the manifest is committed; the sign-off is optional.
 * - `gate_failed`: every open blocking escalation is a gate that failed for good, and no question waits for an answer.
 * - `no_agent`: every open blocking escalation is an agent that cannot be started.
 * - `budget`: every open blocking escalation is about spending limits.
 * - `needs_person`: anything else that waits for a person.
 */
export const OUTCOMES = [
  'moving',
  'released',
  'cancelled',
  'gate_failed',
  'no_agent',
  'budget',
  'needs_person',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export function outcomeOf(state: PlanState, now: Instant): Outcome {
  if (state.cancelled !== null) return 'cancelled'
  if (canMove(state, now)) return 'moving'
  if (state.release.step === 'prepared' || state.release.step === 'signed') return 'released'
  const blocking = [...state.inbox.values()].filter(({ item }) => item.blocking)
  const isAsked = blocking.some(({ item }) => item.kind === 'question')
  const open = blocking.filter(({ item }) => item.kind === 'escalation')
  // With an answer, work can go on.
  if (open.length === 0 || isAsked || state.paused !== null) return 'needs_person'
  if (open.every((item) => isFailedGate(state, item))) return 'gate_failed'
  if (open.every((item) => isOverBudget(state, item))) return 'budget'
  return open.every((item) => isMissingAgent(state, item)) ? 'no_agent' : 'needs_person'
}

function isFailedGate(state: PlanState, { item }: OpenItem): boolean {
  if (item.subject === 'release_gate') return state.release.step === 'failed'
  const task = item.task === null ? undefined : state.tasks.get(item.task)
  return task?.cause?.kind === 'gates_failed' || (task?.cause?.kind === 'looping' && task.recheck !== null)
}

const isOverBudget = (state: PlanState, { item }: OpenItem): boolean =>
  item.subject === 'budget' || causeOf(state, item.task)?.kind === 'over_budget'

function isMissingAgent(state: PlanState, { item }: OpenItem): boolean {
  if (item.subject === 'breaker') return state.breaker?.reason.startsWith(NOT_STARTED) === true
  const cause = causeOf(state, item.task)
  return (cause?.kind === 'lost' || cause?.kind === 'reviewer_lost') && cause.reason.startsWith(NOT_STARTED)
}

const causeOf = (state: PlanState, task: string | null) =>
  task === null ? null : (state.tasks.get(task)?.cause ?? null)
