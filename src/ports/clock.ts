import type { Instant } from '../core/state/state.ts'

/**
 * Time, as the engine sees it.
 * - `boot` names one run of the machine: monotonic times of the same run can be compared, across processes too.
 * - `now` is wall time and may jump; `monotonic` never goes back and knows nothing of jumps or suspends.
 * - `paused` is how long this process was there and did not run, all in all (frozen, or stopped by a signal), while monotonic
 *   time went on. It never shrinks, and knows of a pause from its end on, and when that was.
 * - `wake` calls once, not before `delayMs` have passed, never synchronously; the returned function cancels it and is idempotent.
 */
export interface Clock {
  now(): Instant
  monotonic(): number
  boot(): string
  paused(): Paused
  wake(delayMs: number, call: () => void): () => void
}

export interface Paused {
  readonly totalMs: number
  /** The end of the last pause, in monotonic time; null before the first. */
  readonly endedAt: number | null
}
