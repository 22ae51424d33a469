/** What is kept between two looks at the same host or log, so that the next one reads only what is new. */
export class Kept<T, Owner extends object = object> {
  readonly #make: (owner: Owner) => T
  readonly #most: number
  readonly #all = new WeakMap<Owner, Map<string, T>>()

  /** Of each owner, the values under the `most` keys that were used last. */
  constructor(make: (owner: Owner) => T, most = 1) {
    this.#make = make
    this.#most = most
  }

  of(owner: Owner, key = ''): T {
    const own = this.#all.get(owner) ?? new Map<string, T>()
    this.#all.set(owner, own)
    const value = own.get(key) ?? this.#make(owner)
    // The most recently used is last.
    own.delete(key)
    own.set(key, value)
    for (const oldest of [...own.keys()].slice(0, -this.#most)) own.delete(oldest)
    return value
  }

  forget(owner: Owner, key = ''): void {
    this.#all.get(owner)?.delete(key)
  }
}
