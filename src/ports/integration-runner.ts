import type { DiagnoseLayer, RunIntegration } from '../core/decide/effects.ts'
import type { Diagnosis, IntegrationResult } from '../core/events/integration.ts'

export interface IntegrationRun {
  /** The tree they ran on: all landed work. */
  readonly tree: string
  readonly results: readonly IntegrationResult[]
}

/**
 * Runs a layer's integration tests and compares their values with the references.
 * - `run` returns exactly one result for each test, in that order.
 * - A command that could not run, or a missing value, is `inconclusive` or `failed`, never `passed`.
 * - `diagnose` returns exactly one diagnosis for each test, in that order, even if it found no culprit.
 * - An aborted run rejects or returns `inconclusive`; it never passes.
 */
export interface IntegrationRunner {
  run(request: RunIntegration, signal: AbortSignal): Promise<IntegrationRun>
  diagnose(request: DiagnoseLayer, signal: AbortSignal): Promise<readonly Diagnosis[]>
}
