/** Runs each configured command once on the newest commit, as gates would. */
import type { CheckName } from '../core/event-schemas/baseline.ts'
import type { Environment } from '../core/planning/plan.ts'

export interface TriedCommand {
  readonly check: CheckName
  readonly command: string
  /**
   * `cannot_run`: nothing was checked, for example because the program is missing; `unnamed`: tests pass, but the output
   * does not name them; `not_tried`: an earlier command failed.
   */
  readonly outcome: 'passed' | 'failed' | 'unnamed' | 'cannot_run' | 'not_tried'
  /** Its exit and message, on one line. */
  readonly why: string
  /** The detected test command, and why this one was tried instead. */
  readonly insteadOf?: string
  /** Where tests pass, or count, by their exit code alone: the test file that makes the command fail when it is broken. */
  readonly byExitCode?: { readonly failsWith: string | null }
}

/** `environment` of bosun.yaml or the plan. An absent command is detected; null means none. */
export type TrialEnvironment = Partial<Environment> & {
  readonly env_files?: readonly string[] | undefined
  readonly ports?: number | undefined
  readonly network?: boolean | undefined
}

export interface TrialRequest {
  readonly environment: TrialEnvironment
  /** Its test command was detected, so another one may be tried where it names no test. */
  readonly isDetected?: boolean
  readonly signal: AbortSignal
  /** Called as each command starts: a set-up may take minutes. */
  readonly onStart?: ((command: string) => void) | undefined
}
