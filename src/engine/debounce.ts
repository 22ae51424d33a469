import type { Clock } from '../ports/clock.ts'

/** Calls a function once after a delay, however often it is requested meanwhile. */
export class Debounce {
  readonly #clock: Clock
  readonly #call: () => void
  #cancel: (() => void) | null = null

  constructor(clock: Clock, call: () => void) {
    this.#clock = clock
    this.#call = call
  }

  ask(delayMs: number): void {
    this.#cancel ??= this.#clock.wake(delayMs, () => {
      this.#cancel = null
      this.#call()
    })
  }

  cancel(): void {
    this.#cancel?.()
    this.#cancel = null
  }
}
