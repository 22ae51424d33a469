/**
 * Freezes a PM: while it is frozen, its timers and its input wait, and the world continues. Afterwards the due
 * timers run first, then the input in order, as in a process that continues after SIGSTOP.
 */
import type { Clock, Paused } from '../ports/clock.ts'

export class Freeze {
  readonly #clock: Clock
  #isHeld = false
  #held: Paused = { totalMs: 0, endedAt: null }
  readonly #timers: (() => void)[] = []
  readonly #queued: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  freeze(forMs: number, released: () => void): void {
    if (this.#isHeld) return
    this.#isHeld = true
    this.#clock.wake(forMs, () => {
      this.#held = { totalMs: this.#held.totalMs + forMs, endedAt: this.#clock.monotonic() }
      released()
      this.#drain()
    })
  }

  /** Calls now, or after the freeze. */
  deliver(call: () => void): void {
    if (this.#isHeld) this.#queued.push(call)
    else call()
  }

  /** The clock as the PM sees it: it does not call a frozen PM. */
  clock(): Clock {
    const clock = this.#clock
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      boot: () => clock.boot(),
      paused: () => this.#held,
      wake: (delayMs, call) => {
        let isCancelled = false
        const wanted = (): void => {
          if (!isCancelled) call()
        }
        const cancel = clock.wake(delayMs, () => (this.#isHeld ? this.#timers.push(wanted) : wanted()))
        return () => {
          isCancelled = true
          cancel()
        }
      },
    }
  }

  #drain(): void {
    const next = this.#timers.shift() ?? this.#queued.shift()
    if (next === undefined) {
      this.#isHeld = false
      return
    }
    next()
    this.#clock.wake(0, () => this.#drain())
  }
}
