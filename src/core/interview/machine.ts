/**
 * What the interviews of one repository have come to: the state of the machine, and the interview that is open in it. It is
 * plain JSON, so a snapshot is a copy.
 */
import type { z } from 'zod'
import type { recoverable, specDraft } from './events/schemas.ts'
import { nextState, type InterviewState, type Suspendable, type Trigger } from './transitions.ts'

/** Milliseconds since the epoch. */
export type Instant = number

export type SpecMetadata = SpecDraft['spec_metadata']
export type SpecDraft = z.infer<ReturnType<typeof specDraft>>
export type InterviewSession = Recoverable['session']
export type Recoverable = Readonly<z.infer<ReturnType<typeof recoverable>>>

export interface Machine {
  readonly repository: string
  /** Machines of a repository count from 1: an orderly stop ends one. */
  readonly number: number
  state: InterviewState
  suspendedFrom: Suspendable | null
  /** When the state was entered. */
  since: Instant
  /** How many transitions were made: a handler that began before the last one is outdated. */
  moves: number
  version: number
  at: Instant
  /** How many interviews it has had. */
  interviews: number
  session: InterviewSession | null
  /** Newest first. Each stays until it is continued or dropped, also while other interviews come and go. */
  recoverable: readonly Recoverable[]
  /** A service refuses work until then; nothing is asked of it before. */
  parked: { readonly service: string; readonly until: Instant } | null
  /** Why it is suspended. */
  outage: string | null
  /** The last plan that an approved spec became. */
  plan: string | null
  /** Of the last calls that had one: the same call again has no further effect. */
  keys: string[]
  /** What the last action on a preview was, and for which spec, so that the same call again is no conflict. */
  lastAction: { readonly action: string; readonly sha256: string } | null
}

/** Makes a transition of the table. Throws for any other: an event that needs it was never to be written. */
export function move(machine: Machine, on: Trigger, at: Instant): void {
  const to = nextState(machine, on)
  if (to === null) throw new Error(`an interview in ${machine.state} has no transition on ${on}`)
  if (to === machine.state) return
  machine.state = to
  machine.since = at
  machine.moves++
}

/** Messages of the user that no turn has seen. */
export const hasUnread = ({ conversation, readUpTo }: InterviewSession): boolean =>
  conversation.slice(readUpTo).some(({ from }) => from === 'user')

/** The open interview. Throws where none is. */
export function sessionOf({ session, state }: Machine): InterviewSession {
  if (session === null) throw new Error(`no interview is open in ${state}`)
  return session
}
