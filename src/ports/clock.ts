import type { Instant } from '../core/state.ts'

/**
 * Time, as the engine sees it.
 * - `boot` names one run of the machine: monotonic times of the same run can be compared, across processes too.
 * - `now` is wall time and may jump; `monotonic` never goes back and knows nothing of jumps or suspends.
 * - `wake` calls once, not before `delayMs` have passed, never synchronously; the returned function cancels it and is idempotent.
 */
export interface Clock {
  now(): Instant
  monotonic(): number
  boot(): string
  wake(delayMs: number, call: () => void): () => void
}
