/**
 * Watches a turn in which nothing happens. A model may take many minutes for its first word, so silence alone means
 * nothing: the agent is asked now and then whether it is still there, and its answer counts as a sign of life. A turn
 * that stays silent although the agent answers waits for its provider.
 */
export interface IdleWatchOptions {
  readonly idleMs: number
  /** Whether something is under way that has its own limits: a tool, a question to a person. */
  readonly isBusy: () => boolean
  /** Resolves if the agent answers anything at all, and rejects, or never settles, if it does not. */
  readonly probe: () => Promise<unknown>
  readonly onAnswer: () => void
  readonly onIdle: (forMs: number) => void
}

/** Parts of `idleMs`. */
const LOOKS = 30
const LOOKS_PER_PROBE = 4

export class IdleWatch {
  readonly #options: IdleWatchOptions
  readonly #timer: NodeJS.Timeout
  readonly #everyMs: number
  #last = performance.now()
  #lookedAt = this.#last
  #looks = 0
  #isAnswered = false

  constructor(options: IdleWatchOptions) {
    this.#options = options
    this.#everyMs = Math.max(10, options.idleMs / LOOKS)
    this.#timer = setInterval(() => this.#look(), this.#everyMs)
  }

  /** Something came from the agent. */
  touch(): void {
    this.#last = performance.now()
    this.#isAnswered = false
    this.#looks = 0
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    const lateMs = now - this.#lookedAt - this.#everyMs
    this.#lookedAt = now
    // What froze this process froze the agent too.
    if (lateMs > this.#everyMs * 2) this.#last += lateMs
    if (this.#options.isBusy()) return this.touch()
    const idleMs = now - this.#last
    if (idleMs >= this.#options.idleMs && this.#isAnswered) return this.#options.onIdle(idleMs)
    if (++this.#looks % LOOKS_PER_PROBE === 0) void this.#probe()
  }

  async #probe(): Promise<void> {
    const asked = this.#last
    try {
      await this.#options.probe()
    } catch {
      // The connection is closed; the session sees that itself.
      return
    }
    if (asked !== this.#last) return
    this.#isAnswered = true
    this.#options.onAnswer()
  }
}
