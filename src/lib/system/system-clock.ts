/**
 * The machine's clock. Monotonic time is what Node counts from the start of the machine, so that processes of
 * one boot can compare it. On Linux it stands still while the machine sleeps, so a sleep looks like a jump of
 * wall time; on macOS it counts the sleep as time that passed.
 */
import { bootId } from './boot-id.ts'
import { PausedTime } from './paused-time.ts'

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
