/** Inbox items about failures that are not a worker's own: an unavailable provider, an open breaker. */
import type { InboxItem } from '../../event-schemas/schemas.ts'
import type { Breaker, Parked } from '../../state/providers-state.ts'
import type { PlanState } from '../../state/state.ts'
import { newItem } from './inbox-items.ts'

/** Needs no answer: the provider is probed all the while. */
export function providerAlert(state: PlanState, agent: string, { why }: Pick<Parked, 'why'>): InboxItem {
  return newItem(state, {
    kind: 'escalation',
    subject: 'provider',
    about: agent,
    task: null,
    problem: `${agent} has been unavailable for 15 min: ${why}`,
    impact: 'workers that need it are on hold; one probe every 5 min, which uses no attempt',
    options: [
      { key: 'retry', label: 'probe it now' },
      { key: 'pause', label: 'pause the plan and investigate' },
    ],
    recommended: 'pause',
    blocking: false,
  })
}

/** One question for all tasks, since the cause is in none of them. */
export function breakerEscalation(state: PlanState, { tasks, times, reason }: Breaker): InboxItem {
  const named = tasks.slice(0, 5).join(', ')
  const more = tasks.length > 5 ? ` and ${tasks.length - 5} more` : ''
  return newItem(state, {
    kind: 'escalation',
    subject: 'breaker',
    about: null,
    task: null,
    problem: `workers fail the same way on every task (${times} times, tasks ${named}${more}): ${reason}`,
    impact: 'no new worker is started, except for an occasional probe',
    options: [
      { key: 'retry', label: 'the cause is fixed: continue, with fresh attempts for these tasks' },
      { key: 'pause', label: 'pause the plan and investigate' },
    ],
    recommended: 'pause',
    blocking: true,
  })
}
