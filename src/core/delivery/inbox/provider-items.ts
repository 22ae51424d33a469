/** Inbox items about failures that are not a worker's own: an unavailable provider, an open breaker. */
import type { InboxItem } from '../../event-schemas/schemas.ts'
import type { Breaker, Parked } from '../../state/providers-state.ts'
import type { PlanState } from '../../state/state.ts'
import { newItem, PAUSE } from './inbox-items.ts'
import { firstFew } from '../../../lib/text/counted.ts'

/** About a limit it needs no answer: the provider is probed all the while. */
export function providerAlert(
  state: PlanState,
  agent: string,
  { why, signIn, waiting }: Pick<Parked, 'why' | 'signIn'> & { readonly waiting: number },
): InboxItem {
  if (signIn !== undefined) return signInQuestion(state, { agent, why, signIn, waiting })
  return newItem(state, {
    subject: 'provider',
    about: agent,
    problem: `${agent} has been unavailable for 15 min: ${why}`,
    impact: 'workers that need it are on hold; one probe every 5 min, which uses no attempt',
    options: [{ key: 'retry', label: 'probe it now' }, PAUSE],
    recommended: 'pause',
    blocking: false,
  })
}

/** One question for all tasks that need the agent; nothing is tried before its answer. */
function signInQuestion(state: PlanState, { agent, why, signIn, waiting }: SignedOut): InboxItem {
  return newItem(state, {
    subject: 'provider',
    about: agent,
    problem: `${agent} is not signed in: ${why}. ${signIn}`,
    impact:
      waiting === 0
        ? 'another agent does its work meanwhile; no attempt was used'
        : 'workers that need it are on hold; no attempt was used',
    options: [
      {
        key: 'retry',
        label: 'it is signed in now: continue (after setting a variable, call bosun run on the plan first)',
      },
      PAUSE,
    ],
    ...(waiting === 0 ? { blocking: false } : {}),
  })
}

interface SignedOut {
  readonly agent: string
  readonly why: string
  readonly signIn: string
  /** Tasks that no other agent can do. */
  readonly waiting: number
}

/** One question for all tasks, since the cause is in none of them. */
export function breakerEscalation(state: PlanState, { tasks, times, reason }: Breaker): InboxItem {
  return newItem(state, {
    subject: 'breaker',
    problem: `workers fail the same way on every task (${times} times, tasks ${firstFew(tasks, 5)}): ${reason}`,
    impact: 'no new worker is started, except for an occasional probe',
    options: [
      { key: 'retry', label: 'the cause is fixed: continue, with fresh attempts for these tasks' },
      PAUSE,
    ],
    recommended: 'pause',
  })
}
