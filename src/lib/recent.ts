const KEPT = 256

/** A cache of the most recently used values by name. */
export class Recent<T> {
  readonly #limit: number
  readonly #sizeOf: (value: T) => number
  readonly #all = new Map<string, T>()
  #size = 0

  /** Without `sizeOf`, the limit is a number of values. */
  constructor(limit = KEPT, sizeOf: (value: T) => number = () => 1) {
    this.#limit = limit
    this.#sizeOf = sizeOf
  }

  get(name: string): T | undefined {
    const found = this.#all.get(name)
    if (found !== undefined) this.keep(name, found)
    return found
  }

  /** A value beyond the limit is not kept. */
  keep(name: string, value: T): void {
    this.forget(name)
    if (this.#sizeOf(value) > this.#limit) return
    this.#all.set(name, value)
    this.#size += this.#sizeOf(value)
    for (const oldest of this.#all.keys()) {
      if (this.#size <= this.#limit) return
      this.forget(oldest)
    }
  }

  forget(name: string): void {
    const known = this.#all.get(name)
    if (known !== undefined) this.#size -= this.#sizeOf(known)
    this.#all.delete(name)
  }
}
