/** The commands of a repository, each run once on its newest commit, as gates would run them. */
import type { CheckName } from '../core/event-schemas/baseline.ts'
import type { Environment } from '../core/planning/plan.ts'

export interface TriedCommand {
  readonly check: CheckName
  readonly command: string
  /**
   * `cannot_run`: nothing was checked, its program is missing for one; `unnamed`: tests that pass, and none of them can be
   * told from another; `not_tried`: what comes before it did not work.
   */
  readonly outcome: 'passed' | 'failed' | 'unnamed' | 'cannot_run' | 'not_tried'
  /** How it ended, and what it said of that, on one line. */
  readonly why: string
}

export type TrialEnvironment = Partial<Environment> & {
  readonly env_files?: readonly string[] | undefined
  readonly ports?: number | undefined
}

export interface TrialRequest {
  /** What is absent is detected. */
  readonly environment: TrialEnvironment
  readonly signal: AbortSignal
}
