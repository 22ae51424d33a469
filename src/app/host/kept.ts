/** What is kept between two looks at the same host or log, so that the next one reads only what is new. */
export class Kept<T> {
  readonly #make: () => T
  readonly #most: number
  readonly #all = new WeakMap<object, Map<string, T>>()

  /** Of each owner, the values under the `most` keys that were used last. */
  constructor(make: () => T, most = 1) {
    this.#make = make
    this.#most = most
  }

  of(owner: object, key = ''): T {
    const own = this.#all.get(owner) ?? new Map<string, T>()
    this.#all.set(owner, own)
    const value = own.get(key) ?? this.#make()
    // The most recently used is last.
    own.delete(key)
    own.set(key, value)
    for (const oldest of [...own.keys()].slice(0, -this.#most)) own.delete(oldest)
    return value
  }

  forget(owner: object, key = ''): void {
    this.#all.get(owner)?.delete(key)
  }
}
