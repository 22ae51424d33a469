/** Runs what it is given one after the other, in the order it came. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work)
    // The next one starts when this one is over, however it ended; its caller has the error.
    this.#last = mine.catch(() => undefined)
    return mine
  }
}
