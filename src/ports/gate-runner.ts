import type { RunGates, RunReleaseGate, DiagnoseLayer, RunIntegration } from '../core/decide/effects.ts'
import type { Verdict } from '../core/event-schemas/schemas.ts'
import type { Diagnosis, IntegrationResult } from '../core/events/integration.ts'

export interface ReleaseVerdict {
  readonly tree: string
  readonly verdicts: readonly Verdict[]
}

/**
 * Proves work. A worker's claim is never evidence.
 * - `run` returns exactly one verdict for each requested gate, in that order.
 * - A check that could not run is `inconclusive`, never `passed`.
 * - Running the same gates on the same tree again is harmless.
 * - An aborted run rejects or returns `inconclusive`; it never passes.
 */
export interface GateRunner {
  run(request: RunGates, signal: AbortSignal): Promise<readonly Verdict[]>
  runRelease(request: RunReleaseGate, signal: AbortSignal): Promise<ReleaseVerdict>
}

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
