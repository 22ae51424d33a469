import type { Instant } from '../core/state/state.ts'

/**
 * Time, as the engine sees it.
 * - `boot` names one run of the machine: monotonic times of the same run can be compared, across processes too.
 * - `now` is wall time and may jump; `monotonic` never goes back and ignores jumps and suspends.
 * - `paused` is the total time this process existed and did not run (frozen, or stopped by a signal) while monotonic
 *   time went on. It never shrinks, and includes a pause once it has ended.
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
