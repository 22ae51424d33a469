/**
 * The machine's clock. Monotonic time is what Node counts from the start of the machine, so that processes of
 * one boot can compare it. On Linux it stands still while the machine sleeps, so a sleep looks like a jump of
 * wall time; on macOS it counts the sleep as time that passed.
 */
import { bootId } from './boot-id.ts'

/** The longest that Node's timers can wait: longer ones would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
const NS_PER_MS = 1_000_000

export class SystemClock {
  readonly #boot = bootId()
  /** From when it is first asked for: most commands never do. */
  #paused: PausedTime | null = null

  now(): number {
    return Date.now()
  }

  monotonic(): number {
    return Number(process.hrtime.bigint()) / NS_PER_MS
  }

  boot(): string {
    return this.#boot
  }

  paused(): { readonly totalMs: number; readonly endedAt: number | null } {
    this.#paused ??= new PausedTime(() => this.monotonic())
    const totalMs = this.#paused.totalMs()
    return { totalMs, endedAt: this.#paused.endedAt }
  }

  wake(delayMs: number, call: () => void): () => void {
    const due = this.monotonic() + delayMs
    let timer: NodeJS.Timeout
    const arm = (): void => {
      const left = Math.ceil(due - this.monotonic())
      timer = setTimeout(fire, Math.min(Math.max(left, 0), LONGEST_TIMER_MS))
    }
    // Node's timers round: one may fire a little before its time.
    const fire = (): void => (this.monotonic() < due ? arm() : call())
    arm()
    return () => clearTimeout(timer)
  }
}

export const systemClock = new SystemClock()

// Time in which this process was there and did not run: stopped by a signal, or frozen together with its container or its
// machine, while the monotonic clock went on. Nothing that such a process watches may be judged by that time.

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
