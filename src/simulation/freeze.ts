/**
 * Freezes one life of the PM: while it is held, its timers and what it would hear wait, and the world goes on.
 * Afterwards the timers that came due are first, and then what was said, one by one, as in a process that a
 * signal let go on.
 */
import type { Clock, Paused } from '../ports/clock.ts'

export class Freeze {
  readonly #clock: Clock
  #isHeld = false
  #held: Paused = { totalMs: 0, endedAt: null }
  readonly #timers: (() => void)[] = []
  readonly #words: (() => void)[] = []

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

  /** Calls now, or once it goes on. */
  word(call: () => void): void {
    if (this.#isHeld) this.#words.push(call)
    else call()
  }

  /** The clock as the PM sees it: it never calls a PM that is held. */
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
    const next = this.#timers.shift() ?? this.#words.shift()
    if (next === undefined) {
      this.#isHeld = false
      return
    }
    next()
    this.#clock.wake(0, () => this.#drain())
  }
}
