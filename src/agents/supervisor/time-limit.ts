/** What a timer can count to; a longer limit is looked at again. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * How long a worker may run, all in all, from the moment this is made. Time in which its supervisor itself did not run does
 * not count: whatever froze the one froze the other; nor does time in which it is held. It may be given more time, and
 * never less.
 */
export class TimeLimit {
  readonly #began = performance.now()
  readonly #pausedMs: () => number
  readonly #onOver: () => void
  #limitMs = 0
  #heldMs = 0
  #heldSince: number | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(limitMs: number, { pausedMs, onOver }: { pausedMs: () => number; onOver: () => void }) {
    this.#pausedMs = pausedMs
    this.#onOver = onOver
    this.extend(limitMs)
  }

  extend(limitMs: number): void {
    if (!(limitMs > this.#limitMs)) return
    this.#limitMs = limitMs
    this.#look()
  }

  /** Stops the clock, or lets it run again. */
  hold(isHeld: boolean): void {
    const now = performance.now()
    if (isHeld) this.#heldSince ??= now
    else if (this.#heldSince !== null) {
      this.#heldMs += now - this.#heldSince
      this.#heldSince = null
    }
    this.#look()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #look(): void {
    clearTimeout(this.#timer)
    if (this.#heldSince !== null) return
    const ranMs = performance.now() - this.#began - this.#pausedMs() - this.#heldMs
    const leftMs = Math.ceil(this.#limitMs - ranMs)
    if (leftMs <= 0) this.#onOver()
    else this.#timer = setTimeout(() => this.#look(), Math.min(leftMs, MAX_TIMER_MS))
  }
}
