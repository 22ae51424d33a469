/** The daemon's loop: does its duties, measures whether it keeps up, and leaves a sign of life that is visible from outside. */
import {
  NO_LOAD,
  nextLoad,
  type Load,
  type LoopLook,
  type OverloadLimits,
} from '../../core/watch/overload.ts'
import type { Clock } from '../../ports/clock.ts'

export interface Duty {
  readonly name: string
  run(): Promise<void>
  /** The number of unprocessed items. */
  backlog?(): number
}

export interface HeartbeatParts {
  readonly clock: Clock
  /** The delay until the next loop, asked after each. */
  readonly loopMs: () => number
  readonly limits: OverloadLimits
  /** The highest event loop lag since the last call. */
  readonly takeLag: () => number
  readonly onError: (what: string, error: unknown) => void
}

export interface Beat {
  /** When the last loop was completed; null before the first. */
  readonly lastLoop: number | null
  readonly loopsCompleted: number
  readonly load: Load
  readonly look: LoopLook
}

export class Heartbeat {
  readonly #parts: HeartbeatParts
  readonly #duties: Duty[] = []
  readonly #listeners = new Set<(beat: Beat, before: Beat) => void>()
  #beat: Beat = {
    lastLoop: null,
    loopsCompleted: 0,
    load: NO_LOAD,
    look: { sweepMs: 0, lagMs: 0, backlog: 0 },
  }
  #cancelWake: () => void = () => undefined
  #turning: Promise<void> = Promise.resolve()
  #closed = false

  constructor(parts: HeartbeatParts) {
    this.#parts = parts
  }

  get beat(): Beat {
    return this.#beat
  }

  get isOverloaded(): boolean {
    return this.#beat.load.overloaded !== null
  }

  /** Takes effect with the next loop. Duties are done in the order of their addition. */
  add(duty: Duty): void {
    this.#duties.push(duty)
  }

  /** Calls `listener` after every loop, with the state before it. */
  listen(listener: (beat: Beat, before: Beat) => void): void {
    this.#listeners.add(listener)
  }

  /** The first loop begins at once. */
  start(): void {
    this.#wakeIn(0)
  }

  /** Resolves when no duty is running any more. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelWake()
    await this.#turning
  }

  #wakeIn(delayMs: number): void {
    if (this.#closed) return
    this.#cancelWake = this.#parts.clock.wake(delayMs, () => {
      this.#turning = this.#turn()
    })
  }

  async #turn(): Promise<void> {
    const { clock, loopMs, limits, takeLag } = this.#parts
    const began = clock.monotonic()
    for (const duty of this.#duties) await this.#attend(duty)
    const look = {
      sweepMs: Math.round(clock.monotonic() - began),
      lagMs: takeLag(),
      backlog: this.#duties.reduce((sum, duty) => sum + (duty.backlog?.() ?? 0), 0),
    }
    const before = this.#beat
    this.#beat = {
      lastLoop: clock.now(),
      loopsCompleted: before.loopsCompleted + 1,
      load: nextLoad(before.load, look, limits),
      look,
    }
    for (const listener of this.#listeners) listener(this.#beat, before)
    this.#wakeIn(loopMs())
  }

  /** A failing duty does not stop the others. */
  async #attend(duty: Duty): Promise<void> {
    if (this.#closed) return
    try {
      await duty.run()
    } catch (error) {
      this.#parts.onError(duty.name, error)
    }
  }
}
