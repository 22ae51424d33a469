/** Does what may fail and is done again later. The same problem is reported once, until the work succeeds. */
export class Troubles {
  readonly #onError: (what: string, error: unknown) => void
  readonly #reported = new Map<string, string>()

  constructor(onError: (what: string, error: unknown) => void) {
    this.#onError = onError
  }

  /** False if it failed. Never rejects. */
  async attend(what: string, work: () => Promise<void> | void): Promise<boolean> {
    try {
      await work()
      this.#reported.delete(what)
      return true
    } catch (error) {
      this.report(what, error)
      return false
    }
  }

  report(what: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    if (this.#reported.get(what) !== message) this.#onError(what, error)
    this.#reported.set(what, message)
  }
}
