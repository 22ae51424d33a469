import type { DiagnoseLayer, RunIntegration } from '../core/decide/effects.ts'
import type { Diagnosis, IntegrationResult } from '../core/events/integration.ts'

export interface IntegrationRun {
  /** What they ran on: all that has landed. */
  readonly tree: string
  readonly results: readonly IntegrationResult[]
}

/**
 * Runs a layer's integration tests and compares their values with the references.
 * - `run` answers with exactly one result for each test, in that order.
 * - A command that could not run, or a value that is missing, is `inconclusive` or `failed`, never `passed`.
 * - `diagnose` answers with exactly one diagnosis for each test, in that order; where it cannot tell, it says so.
 * - An aborted run rejects or answers `inconclusive`; it never passes.
 */
export interface IntegrationRunner {
  run(request: RunIntegration, signal: AbortSignal): Promise<IntegrationRun>
  diagnose(request: DiagnoseLayer, signal: AbortSignal): Promise<readonly Diagnosis[]>
}
