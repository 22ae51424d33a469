/**
 * The daemon's own pulse. Once a loop it does its duties, what keeps work safe before everything else, looks how well
 * it keeps up, and leaves a sign that others can see without asking it.
 */
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
  /** Time limits and ends are critical: they are seen to first, however much else waits. */
  readonly urgency: 'critical' | 'ordinary'
  run(): Promise<void>
  /** What it has not got to yet. */
  backlog?(): number
}

export interface HeartbeatParts {
  readonly clock: Clock
  /** How long until the next turn, asked after each. */
  readonly loopMs: () => number
  readonly limits: OverloadLimits
  /** The longest that anything had to wait for its turn since this was last asked. */
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

  /** From the next loop on. Critical duties come first, others in the order they were added in. */
  add(duty: Duty): void {
    this.#duties.push(duty)
    this.#duties.sort((a, b) => Number(b.urgency === 'critical') - Number(a.urgency === 'critical'))
  }

  /** Hears every loop that was completed, with how it was before. */
  listen(listener: (beat: Beat, before: Beat) => void): void {
    this.#listeners.add(listener)
  }

  /** The first loop begins at once. */
  start(): void {
    this.#wakeIn(0)
  }

  /** Resolves when no duty is being done any more. */
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

  /** One duty that fails keeps nobody from the others. */
  async #attend(duty: Duty): Promise<void> {
    if (this.#closed) return
    try {
      await duty.run()
    } catch (error) {
      this.#parts.onError(duty.name, error)
    }
  }
}
