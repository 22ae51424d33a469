/** What a person is asked, or told, when workers fail at something that is not theirs. */
import type { InboxItem } from '../../event-schemas/schemas.ts'
import type { Breaker, Parked } from '../../state/providers-state.ts'
import type { PlanState } from '../../state/state.ts'
import { newItem } from './inbox-items.ts'

/** Nobody has to answer it: it is tried again all the while. */
export function providerAlert(state: PlanState, agent: string, { why }: Pick<Parked, 'why'>): InboxItem {
  return newItem(state, {
    kind: 'escalation',
    subject: 'provider',
    about: agent,
    task: null,
    problem: `${agent} has not worked for 15 min: ${why}`,
    impact: 'no worker is sent that needs it, but one every 5 min to find out; no attempt is used',
    options: [
      { key: 'retry', label: 'find out now' },
      { key: 'pause', label: 'pause here and look' },
    ],
    recommended: 'pause',
    blocking: false,
  })
}

/** Asked once for all of them: what fails them is not theirs. */
export function breakerEscalation(state: PlanState, { tasks, times, reason }: Breaker): InboxItem {
  const named = tasks.slice(0, 5).join(', ')
  const more = tasks.length > 5 ? ` and ${tasks.length - 5} more` : ''
  return newItem(state, {
    kind: 'escalation',
    subject: 'breaker',
    about: null,
    task: null,
    problem: `workers fail the same way whatever they are sent for (${times} times, tasks ${named}${more}): ${reason}`,
    impact: 'no further worker is sent, but one now and then to find out',
    options: [
      { key: 'retry', label: 'it is put right: go on, with fresh tries for these tasks' },
      { key: 'pause', label: 'pause here and look' },
    ],
    recommended: 'pause',
    blocking: true,
  })
}
