/**
 * A clock that tests advance. Callbacks run one at a time, by their time; those of the same moment in an order
 * drawn from the seed, so that every interleaving occurs in some seed.
 */
import type { Instant } from '../core/state/state.ts'
import { Heap } from '../core/planning/dependencies/order.ts'
import type { Clock, Paused } from '../ports/clock.ts'

interface Timer {
  readonly at: number
  readonly tie: number
  call: (() => void) | null
}

/** Lets everything run that waits for nothing but its turn. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export class VirtualClock implements Clock {
  readonly #timers = new Heap<Timer>((a, b) => (a.at === b.at ? a.tie < b.tie : a.at < b.at))
  readonly #tie: () => number
  #elapsed = 0
  #offset: Instant

  constructor(start: Instant, tie: () => number) {
    this.#offset = start
    this.#tie = tie
  }

  now(): Instant {
    return this.#offset + this.#elapsed
  }

  monotonic(): number {
    return this.#elapsed
  }

  boot(): string {
    return 'simulated'
  }

  paused(): Paused {
    return { totalMs: 0, endedAt: null }
  }

  wake(delayMs: number, call: () => void): () => void {
    const timer: Timer = { at: this.#elapsed + Math.max(0, Math.ceil(delayMs)), tie: this.#tie(), call }
    this.#timers.push(timer)
    return () => {
      timer.call = null
    }
  }

  /** Moves wall time without passing time. */
  jump(byMs: number): void {
    this.#offset += byMs
  }

  /** Runs until nothing is scheduled, `untilMs` have passed, or `stop` returns true. True when nothing is left. */
  async run(untilMs: number, stop: () => boolean): Promise<boolean> {
    await settle()
    while (!stop()) {
      const timer = this.#timers.peek()
      if (timer === undefined) return true
      if (timer.at > untilMs) return false
      this.#timers.pop()
      if (timer.call === null) continue
      this.#elapsed = timer.at
      timer.call()
      await settle()
    }
    return false
  }
}
