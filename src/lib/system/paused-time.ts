/**
 * Time in which this process was there and did not run: stopped by a signal, or frozen together with its container or its
 * machine, while the monotonic clock went on. Nothing that such a process watches may be judged by that time.
 */

/** How often it looks. */
const TICK_MS = 1000
/** A tick this late means that the process was paused; less is load. */
const LATE_MS = 2000

export class PausedTime {
  readonly #monotonic: () => number
  readonly #onPause: (totalMs: number) => void
  readonly #timer: NodeJS.Timeout
  #lookedAt: number
  #totalMs = 0
  #endedAt: number | null = null

  /** `onPause` gets the total after each pause. Keeps no process alive. */
  constructor(monotonic: () => number, onPause: (totalMs: number) => void = () => undefined) {
    this.#monotonic = monotonic
    this.#onPause = onPause
    this.#lookedAt = monotonic()
    this.#timer = setInterval(() => this.totalMs(), TICK_MS)
    this.#timer.unref()
  }

  /** When the last pause ended, or was first known to have; null before the first. */
  get endedAt(): number | null {
    return this.#endedAt
  }

  /** All of it so far, with the pause that is ending at this moment: before any timer had its turn. */
  totalMs(): number {
    const now = this.#monotonic()
    const sinceMs = now - this.#lookedAt
    this.#lookedAt = now
    if (sinceMs < TICK_MS + LATE_MS) return this.#totalMs
    this.#endedAt = now
    this.#totalMs += Math.floor(sinceMs - TICK_MS)
    this.#onPause(this.#totalMs)
    return this.#totalMs
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
