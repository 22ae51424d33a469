/** Text that is gathered until somebody writes it: as bytes beside the heap, so that much of it costs no more than little. */
export class GatheredText {
  readonly #firstBytes: number
  #bytes: Buffer = NOTHING
  #length = 0

  constructor(firstBytes = 16 * 1024) {
    this.#firstBytes = firstBytes
  }

  get length(): number {
    return this.#length
  }

  add(text: string): void {
    // A character is at most three bytes; one of four is two of them.
    const most = this.#length + text.length * 3
    if (most > this.#bytes.length) this.#grow(most)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** All of it, as UTF-8; from here on nothing is gathered. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#bytes = NOTHING
    this.#length = 0
    return taken
  }

  #grow(least: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(least, this.#bytes.length * 2, this.#firstBytes))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

const NOTHING = Buffer.alloc(0)
