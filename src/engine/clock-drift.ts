/** How time goes for this PM: jumps of the wall clock, and looks that come too late because it did not run. */
import type { Instant, PlanState } from '../core/state/state.ts'
import type { Clock } from '../ports/clock.ts'

/** Wall time that moved this much without time passing is a jump. */
const JUMP_MS = 5000
/** A look that comes this much too late says that this process did not run. */
const PAUSE_MS = 5000
/** A look that is late by less may still come before words that wait to be heard. */
const LATE_MS = 100
/** How long a PM that was held up listens before it judges anybody. */
const LISTEN_MS = 100
/** After a pause of its own the supervisors of its workers get time to say whether they were paused as well. */
const LISTEN_AFTER_PAUSE_MS = 3000

/** What this PM missed since it last asked. */
export interface Absence {
  /** For how long it did not run, and how long ago that ended; null where it ran. */
  readonly pause: { readonly forMs: number; readonly agoMs: number } | null
  /** It comes so late that it missed what happened. */
  readonly isLong: boolean
  /** How long it has to listen before it judges anybody; null where it need not. */
  readonly listenMs: number | null
}

export class ClockDrift {
  readonly #clock: Clock
  /** When it meant to look again, on the clock that never jumps; null when nothing is due. */
  #lookDue: number | null = null
  #cancelLook: () => void = () => undefined
  #knownPausedMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#knownPausedMs = clock.paused().totalMs
  }

  /** By how much wall time moved since the log last heard of it; 0 where that is no jump. */
  jumpMs(known: PlanState['clock']): number {
    if (known?.boot !== this.#clock.boot()) return 0
    const byMs = this.offsetMs() - known.offsetMs
    return Math.abs(byMs) >= JUMP_MS ? byMs : 0
  }

  /** What lies between wall time and the clock that never jumps. */
  offsetMs(): number {
    return Math.round(this.#clock.now() - this.#clock.monotonic())
  }

  /** Until a jump is noticed what is seen has the old time, so that all of it moves together. */
  seenAt(known: PlanState['clock'], at = this.#clock.now()): Instant {
    return at - this.jumpMs(known)
  }

  /** Looks again then, and at no other time. */
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

  /** Whether it was held up since it meant to look: for a moment, or so long that it missed what happened. */
  #takeHeldUp(): 'no' | 'for a moment' | 'for long' {
    const lateMs = this.#lookDue === null ? 0 : this.#clock.monotonic() - this.#lookDue
    this.#lookDue = null
    if (lateMs < LATE_MS) return 'no'
    return lateMs < PAUSE_MS ? 'for a moment' : 'for long'
  }
}
