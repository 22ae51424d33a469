/** What a timer can count to; nobody works for longer than that. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** How long a worker may run, all in all, from the moment this is made. It may be given more time, and never less. */
export class TimeLimit {
  readonly #began = performance.now()
  readonly #onOver: () => void
  #limitMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limitMs: number, onOver: () => void) {
    this.#onOver = onOver
    this.extend(limitMs)
  }

  extend(limitMs: number): void {
    if (!(limitMs > this.#limitMs)) return
    this.#limitMs = limitMs
    clearTimeout(this.#timer)
    const leftMs = limitMs - (performance.now() - this.#began)
    this.#timer = setTimeout(this.#onOver, Math.min(leftMs, MAX_TIMER_MS))
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
