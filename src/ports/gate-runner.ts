import type { RunGates, RunReleaseGate } from '../core/decide/effects.ts'
import type { Verdict } from '../core/event-schemas/schemas.ts'

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
