/** A worker's work, and the reviews of it. */
import type { ReportedTests } from '../event-schemas/requests.ts'
import type { Report, ReviewIssue, Scan } from '../event-schemas/schemas.ts'
import type { Tier } from '../planning/plan.ts'
import { NOTHING_SPENT, type Spent } from './spending.ts'

/** The results that its workers last reported of their own tests. */
export type TestReport = ReportedTests & { readonly worker: string }

/** What the gates prove a task's work on, see landing-queue.ts. */
export interface DraftBase {
  /** The tree that it was put on. */
  readonly onto: string
  /** The tasks in that tree that had not landed, in order. */
  readonly ahead: readonly string[]
  /** How many tasks had landed. */
  readonly landings: number
}

/** A worker's work. `salvage` is the ref that keeps it. */
export interface Draft {
  readonly worker: string
  readonly tree: string
  readonly changed: readonly string[]
  readonly salvage: string
  readonly report: Report | null
  /** Identifies the change itself, on any base; null before it is collected, and where it may not land. */
  readonly patch: string | null
  /** Every agent that worked on it, the latest last. */
  readonly agents: readonly string[]
  /** How its worker ended. */
  readonly ended: string
  /** People who worked on it themselves. */
  readonly people: readonly string[]
  /** The scan of its lines; absent where there was none. */
  readonly scan?: Scan
  /** Of the work that was collected last; null before the first. */
  readonly base: DraftBase | null
  /** Its gates failed on top of unproven work, so the failure may not be its own. */
  readonly isHeld?: boolean
  /** Tasks it conflicts with that may not land: it is collected again once that is known. */
  readonly waitsFor?: readonly string[]
}

/** A fully approved change before which something else landed. */
export interface Approved {
  readonly patch: string
  readonly attempt: number
  readonly tier: Tier
  /** The failures that a person had overridden. */
  readonly letThrough: readonly string[]
  /** What its gates had left to review. */
  readonly read: readonly string[]
}

export interface Review {
  readonly round: number
  /** The attempt it is about. */
  readonly attempt: number
  readonly by: string
  /** The reviewer's agent; null for the rules. */
  readonly agent: string | null
  /** It also worked on the change: no other agent was available. */
  readonly isOwnAgent: boolean
  readonly verdict: 'approved' | 'changes_requested'
  readonly summary: string
  /** Why the rules changed its verdict, where they did. */
  readonly remark: string | null
  readonly issues: readonly ReviewIssue[]
}

/** What the gates last held against a task's work. */
export interface Refusal {
  readonly attempt: number
  readonly outcome: 'failed' | 'inconclusive'
  /** Sorted; null where they are not named. */
  readonly reasons: readonly string[] | null
  /** The attempt before it was refused for the same reasons, or its gates could not be checked for them. */
  readonly isRepeated: boolean
}

/** A proposal after a failed attempt. */
export interface Assessment {
  readonly attempt: number
  readonly proposal: 'retry' | 'reduce_scope' | 'escalate'
  readonly note: string
  /** For the next worker. */
  readonly advice: string | null
  readonly by: string
}

/** What the brain was asked about a task: the part of its spending, and what it proposed after the attempt that failed last. */
export interface TaskThinking {
  readonly spent: Spent
  readonly assessment: Assessment | null
}

export const NOT_ASKED: TaskThinking = Object.freeze({ spent: NOTHING_SPENT, assessment: null })

/** A question of a worker, and the answer of a specialist. */
export interface Help {
  readonly worker: string
  readonly question: string
  readonly answer: string
  /** The specialist's agent. */
  readonly by: string
}
