/** Risks that only a person can settle: those of critical work, and those that are critical themselves. */
import type { PlanState, Risk } from './state.ts'

export const risksForPerson = (state: PlanState): readonly Risk[] =>
  [...state.risks.values()].filter(
    ({ status, severity, sourceTask }) =>
      status === 'open' && (severity === 'critical' || state.tasks.get(sourceTask)?.tier === 'critical'),
  )

/** The risks that an answer names by id; all open ones if it names none. */
export function risksMeant(state: PlanState, feedback: string): readonly Risk[] {
  const open = risksForPerson(state)
  const mentioned = new Set(feedback.split(/[\s,;:]+/))
  const named = open.filter(({ id }) => mentioned.has(id))
  return named.length === 0 ? open : named
}
