/** Detects jumps of the wall clock, and wake-ups that come late because this process did not run. */
import type { Instant, PlanState } from '../core/state/state.ts'
import type { Clock } from '../ports/clock.ts'

/** A difference of this much between wall time and monotonic time is a jump. */
const JUMP_MS = 5000
/** A wake-up this late means that this process did not run. */
const PAUSE_MS = 5000
/** A wake-up this late may still come before queued input. */
const LATE_MS = 100
/** How long a delayed PM listens before it judges workers. */
const LISTEN_MS = 100
/** After a pause, supervisors get this long to report whether they were paused as well. */
const LISTEN_AFTER_PAUSE_MS = 3000

/** The time this process missed since the last call. */
export interface Absence {
  /** How long it did not run, and how long ago that ended; null where it ran. */
  readonly pause: { readonly forMs: number; readonly agoMs: number } | null
  /** The wake-up was so late that events were missed. */
  readonly isLong: boolean
  /** How long to listen before judging workers; null where that is not needed. */
  readonly listenMs: number | null
}

export class ClockDrift {
  readonly #clock: Clock
  /** The next wake-up in monotonic time; null when none is due. */
  #lookDue: number | null = null
  #cancelLook: () => void = () => undefined
  #knownPausedMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#knownPausedMs = clock.paused().totalMs
  }

  /** How far wall time moved from the logged offset; 0 where that is not a jump. */
  jumpMs(known: PlanState['clock']): number {
    if (known?.boot !== this.#clock.boot()) return 0
    const byMs = this.offsetMs() - known.offsetMs
    return Math.abs(byMs) >= JUMP_MS ? byMs : 0
  }

  /** Wall time minus monotonic time. */
  offsetMs(): number {
    return Math.round(this.#clock.now() - this.#clock.monotonic())
  }

  /** Until a jump is logged, observations keep the old time, so that all of them move together. */
  seenAt(known: PlanState['clock'], at = this.#clock.now()): Instant {
    return at - this.jumpMs(known)
  }

  /** Schedules the next wake-up and cancels any other. */
  lookIn(delayMs: number, look: () => void): void {
    this.rest()
    const inMs = Math.max(0, delayMs)
    this.#lookDue = this.#clock.monotonic() + inMs
    this.#cancelLook = this.#clock.wake(inMs, look)
  }

  rest(): void {
    this.#cancelLook()
  }

  takeAbsence(): Absence {
    const held = this.#takeHeldUp()
    const pause = this.#takePause()
    const listenMs = pause === null ? LISTEN_MS : LISTEN_AFTER_PAUSE_MS - pause.agoMs
    const mayJudge = held === 'no' && (pause === null || listenMs <= 0)
    return { pause, isLong: held === 'for long', listenMs: mayJudge ? null : Math.max(LISTEN_MS, listenMs) }
  }

  #takePause(): Absence['pause'] {
    const { totalMs, endedAt } = this.#clock.paused()
    const forMs = totalMs - this.#knownPausedMs
    if (forMs === 0 || endedAt === null) return null
    this.#knownPausedMs = totalMs
    return { forMs, agoMs: Math.round(this.#clock.monotonic() - endedAt) }
  }

  /** Whether the wake-up was late: by a moment, or so long that events were missed. */
  #takeHeldUp(): 'no' | 'for a moment' | 'for long' {
    const lateMs = this.#lookDue === null ? 0 : this.#clock.monotonic() - this.#lookDue
    this.#lookDue = null
    if (lateMs < LATE_MS) return 'no'
    return lateMs < PAUSE_MS ? 'for a moment' : 'for long'
  }
}
