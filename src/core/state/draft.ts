/** What a worker left behind, and what was said about it. */
import type { Finding } from '../event-schemas/evidence.ts'
import type { Report, ReviewIssue } from '../event-schemas/schemas.ts'
import type { Tier } from '../planning/plan.ts'

/** What a worker left behind. `salvage` names where its bytes are kept. */
export interface Draft {
  readonly worker: string
  readonly tree: string
  readonly changed: readonly string[]
  readonly salvage: string
  readonly report: Report | null
  /** Names the change itself, whatever it stands on; null where nobody said. */
  readonly patch: string | null
  /** Every agent that wrote at it, the last one last; absent where nobody said. */
  readonly agents?: readonly string[]
  /** What the rules read in it; absent where nobody looked. */
  readonly scan?: Scan
  /** What it stands on, see landing-queue.ts; absent in logs of before. */
  readonly onto?: string
  readonly ahead?: readonly string[]
  readonly landings?: number
  /** Proofs of it that no longer count, since what it stood on did not land. */
  readonly lostProofs?: number
  /** Its gates failed on top of work that is not proven yet, so nobody knows whose fault it is. */
  readonly isHeld?: boolean
  /** Tasks whose work it conflicts with, which may not land: it is collected again once that is known. */
  readonly waitsFor?: readonly string[]
}

/** What can be told from the lines of a change alone. */
export interface Scan {
  /** Why it is critical work, whatever the plan said: a schema, a public interface, security. */
  readonly touches: readonly string[]
  /** What whoever reviews it should look at. */
  readonly findings: readonly Finding[]
}

/** A change that everybody who has to had approved when something else landed first. */
export interface Approved {
  readonly patch: string
  readonly attempt: number
  readonly tier: Tier
  /** What a person had let through of it, as the gates put it; absent in states of before. */
  readonly letThrough?: readonly string[]
}

export interface Review {
  readonly round: number
  /** The attempt it is about. */
  readonly attempt: number
  readonly by: string
  /** The agent that was the reviewer; null for the rules, and where nobody said. */
  readonly agent: string | null
  /** It wrote at what it reviewed: nobody else was to be had. */
  readonly isOwnAgent: boolean
  readonly verdict: 'approved' | 'changes_requested'
  readonly summary: string
  /** What the rules made of its verdict, where they made something else of it. */
  readonly remark: string | null
  readonly issues: readonly ReviewIssue[]
}
