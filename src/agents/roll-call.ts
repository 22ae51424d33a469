/** Checks regularly, for all workers at once, that each still has its supervisor. */
export interface Called {
  /** Looks closer if something seems to have happened; costs next to nothing otherwise. */
  readonly answer: () => void
}

/** Short enough to notice a missing supervisor within a second. */
const ROUND_MS = 700

export class RollCall {
  readonly #present = new Set<Called>()
  #timer: NodeJS.Timeout | undefined

  add(called: Called): void {
    this.#present.add(called)
    this.#timer ??= setInterval(() => this.#round(), ROUND_MS)
  }

  remove(called: Called): void {
    this.#present.delete(called)
    if (this.#present.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #round(): void {
    for (const called of this.#present) called.answer()
  }
}
