/** What is going on in an interview and what the user can do about it. */
import type { PmStatus } from '../../../../src/protocol/interview.ts'

export type Situation =
  | { readonly kind: 'none' }
  /** Another interview is open in this repository. */
  | { readonly kind: 'other'; readonly session: string }
  | { readonly kind: 'asks' }
  | { readonly kind: 'thinks' }
  | { readonly kind: 'preview' }
  | { readonly kind: 'architect' }
  | { readonly kind: 'approved'; readonly plan: string }
  | { readonly kind: 'suspended'; readonly why: string; readonly from: string | null }
  | { readonly kind: 'parked'; readonly why: string; readonly until: string }
  | {
      readonly kind: 'failed'
      readonly session: string
      readonly why: string
      readonly since: string
      readonly hasDraft: boolean
    }
  | { readonly kind: 'stopped' }

/** `wasSubmitted`: this page saw that the spec was submitted, so a plan that is there now came of it. */
export function situationOf(status: PmStatus, session: string, wasSubmitted: boolean): Situation {
  const { session_id, plan, state } = status
  const kept = status.kept.find((one) => one.session_id === session)
  if (kept !== undefined && session_id === null)
    return { kind: 'failed', session, why: kept.why, since: kept.since, hasDraft: kept.spec_sha !== null }
  if (session_id === null) {
    if (plan !== null) return { kind: 'approved', plan }
    return wasSubmitted ? { kind: 'architect' } : { kind: 'none' }
  }
  if (session_id !== session) return { kind: 'other', session: session_id }
  if (status.parked_until !== null)
    return { kind: 'parked', why: status.why ?? 'a service accepts no work', until: status.parked_until }
  switch (state) {
    case 'AWAIT_USER':
      return { kind: 'asks' }
    case 'WORKING':
    case 'WAITING':
      return { kind: 'thinks' }
    case 'PREVIEW':
      return { kind: 'preview' }
    case 'AWAIT_ARCHITECT':
      return { kind: 'architect' }
    case 'SUSPEND':
      return {
        kind: 'suspended',
        why: status.why ?? 'a service is unavailable',
        from: status.suspended_from,
      }
    case 'ERROR':
      return { kind: 'thinks' }
    case 'DONE':
      return { kind: 'stopped' }
  }
}

/** Whether a message can be sent; while the PM works it is kept and read after its turn. */
export const takesMessages = ({ kind }: Situation): boolean =>
  kind === 'asks' || kind === 'thinks' || kind === 'suspended' || kind === 'parked'

/** Whether the interview goes on: it has a spec to look at. */
export const isTalking = (situation: Situation): boolean =>
  takesMessages(situation) || situation.kind === 'preview' || situation.kind === 'architect'

export interface SwitchFacts {
  readonly before: Situation['kind'] | null
  readonly now: Situation['kind']
  readonly tab: 'chat' | 'preview'
  readonly isHalfTyped: boolean
}

/** A new preview opens by itself, unless the user is typing: then a notice offers it. */
export function onArrival({ before, now, tab, isHalfTyped }: SwitchFacts): 'open' | 'notice' | null {
  if (now !== 'preview' || before === 'preview' || tab === 'preview') return null
  return isHalfTyped ? 'notice' : 'open'
}
