/** How far a plan is on the way to its release. */
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
  /** When the last release gate was run. */
  readonly gatedAt: Instant | null
  readonly step: 'open' | 'failed' | 'passed' | 'prepared' | 'signed'
  readonly sha: string | null
  readonly manifest: string | null
  readonly overrides: readonly Override[]
  /** Who released a plan of which nothing was built; null where no person had to. */
  readonly nothingBuilt: TakenOn | null
  /** Who released a plan with criteria that nothing in the tree is mapped to. */
  readonly unmapped: TakenOn | null
}

/** What a person took on, with their reason. */
export interface TakenOn {
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
