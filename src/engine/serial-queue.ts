/** Runs work one after the other, in the order it came. One that fails does not stop the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Resolves when all that was handed in so far has ended. */
  async idle(): Promise<void> {
    await this.#last
  }
}
