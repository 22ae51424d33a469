/**
 * What the interviews of one repository have come to: the state of the machine, and the interview that is open in it. It is
 * plain JSON, so a snapshot is a copy.
 */
import type { ArchitectRequest, ArchitectResult } from '../spec/architect-messages.ts'
import type { BegunWith } from './begun-with.ts'
import type { Expertise, InterviewState } from './states.ts'
import type { Suspendable, Trigger } from './transitions.ts'
import { nextState } from './transitions.ts'
import type { BootstrapFacts, ChatMessage, ToolRecord } from './turn.ts'

/** Milliseconds since the epoch. */
export type Instant = number

export interface SpecMetadata {
  readonly title: string
  readonly version: string
  readonly priority: string
  readonly requirements_count: number
}

/** A spec as it was submitted or uploaded. */
export interface SpecDraft {
  readonly user_spec_md: string
  readonly bootstrap_spec_md: string | null
  readonly spec_metadata: SpecMetadata
  /** Of both texts: what a user has seen is what is submitted. */
  readonly sha256: string
}

/** A RESULT as it arrived: whether its type is that of the request is checked. */
export type ReceivedResult = Omit<ArchitectResult, 'type'> & { readonly type: string }

/** A request to the architect. Asked again under the same key it is the same request. */
export interface Review {
  readonly key: string
  readonly request: ArchitectRequest
  /** Null until the architect has answered. */
  result: ReceivedResult | null
  /** The plan made from the approved stories, as text; null before that. */
  planText: string | null
}

/** Everything a user typed and the PM drafted. It outlives errors and restarts. */
export interface InterviewSession {
  readonly id: string
  readonly expertise: Expertise
  /** What the interview was started with; null without. */
  readonly startText: string | null
  /** What it was understood as before; null where nothing was. */
  readonly request: BegunWith | null
  readonly bootstrap: BootstrapFacts
  /** Null: it waits for the user for ever. */
  readonly awaitUserMs: number | null
  conversation: ChatMessage[]
  /** How many messages of the conversation turns have seen. */
  readUpTo: number
  /** Since the last message of the user. */
  calls: ToolRecord[]
  feedback: string | null
  /** How often the architect has sent the spec back. */
  rounds: number
  /** Money for the PM's turns and the architect's reviews, as far as it is known. */
  spentUsd: number
  draft: SpecDraft | null
  /** The model that drafted it, or `nobody`; null without a draft, and for one that was uploaded. */
  draftedBy: string | null
  review: Review | null
}

/** An interview that ended by an error or with the daemon, and can be continued. */
export interface Recoverable {
  readonly session: InterviewSession
  /** The state it was in. */
  readonly state: Suspendable
  readonly why: string
  readonly at: Instant
  /** An orderly stop is continued at the next start; after an error the user decides. */
  readonly cause: 'error' | 'shutdown'
}

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
