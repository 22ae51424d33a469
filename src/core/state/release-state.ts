/** The progress of a plan's release. */
import type { Verdict } from '../event-schemas/schemas.ts'
import type { Instant, Override } from './state.ts'

export interface ReleaseState {
  readonly runs: number
  /** Rounds of remediation, and the tasks they opened. */
  readonly remediations: number
  readonly remediationTasks: number
  readonly inconclusive: number
  readonly verdicts: readonly Verdict[] | null
  readonly tree: string | null
  /** When the release gate last ran. */
  readonly gatedAt: Instant | null
  readonly step: 'open' | 'failed' | 'passed' | 'prepared' | 'signed'
  readonly sha: string | null
  readonly manifest: string | null
  readonly overrides: readonly Override[]
  /** Who released a plan that built nothing; null where that was not needed. */
  readonly nothingBuilt: Acceptance | null
  /** Who released a plan with unmapped criteria. */
  readonly unmapped: Acceptance | null
}

/** A person's acceptance, with the reason. */
export interface Acceptance {
  readonly by: string
  readonly at: Instant
  readonly reason: string
}

export const NOT_RELEASED: ReleaseState = Object.freeze({
  runs: 0,
  remediations: 0,
  remediationTasks: 0,
  inconclusive: 0,
  verdicts: null,
  tree: null,
  gatedAt: null,
  step: 'open',
  sha: null,
  manifest: null,
  overrides: [],
  nothingBuilt: null,
  unmapped: null,
})
