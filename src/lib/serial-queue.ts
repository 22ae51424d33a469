/** Runs asynchronous work one piece at a time, in the order of the calls. A piece that fails does not stop the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    // The caller has the error.
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Resolves when all work that was passed in so far has ended. */
  async idle(): Promise<void> {
    await this.#last
  }
}

/** Waits until this has settled, however it did, and no longer than that. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: tooLate, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, tooLate]).catch(() => undefined)
  clearTimeout(timer)
}
