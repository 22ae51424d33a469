const KEPT = 256

/** A cache of the most recently used values by name. */
export class Recent<T> {
  readonly #kept: number
  readonly #all = new Map<string, T>()

  constructor(kept = KEPT) {
    this.#kept = kept
  }

  get(name: string): T | undefined {
    const found = this.#all.get(name)
    if (found !== undefined) this.keep(name, found)
    return found
  }

  keep(name: string, value: T): void {
    this.#all.delete(name)
    this.#all.set(name, value)
    if (this.#all.size <= this.#kept) return
    const [oldest] = this.#all.keys()
    if (oldest !== undefined) this.#all.delete(oldest)
  }

  forget(name: string): void {
    this.#all.delete(name)
  }
}
