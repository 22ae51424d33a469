/**
 * A heap of candidates that remembers what each was ranked by, so that none has to be looked at to be
 * moved: in a plan of many tasks that is what costs.
 */
export class CandidateHeap<C> {
  readonly #items: C[] = []
  readonly #first: number[] = []
  readonly #second: number[] = []

  peek(): C | undefined {
    return this.#items[0]
  }

  /** The smaller `first` comes out first, and of equals the smaller `second`. */
  push(item: C, first: number, second: number): void {
    let at = this.#items.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isAfter(parent, first, second)) break
      this.#move(parent, at)
      at = parent
    }
    this.#put(at, item, first, second)
  }

  /** Puts what would come out first into another heap as well. */
  copyFirst(other: CandidateHeap<C>): void {
    const item = this.#items[0]
    if (item !== undefined) other.push(item, this.#first[0] ?? 0, this.#second[0] ?? 0)
  }

  pop(): void {
    const item = this.#items.pop()
    const first = this.#first.pop() ?? 0
    const second = this.#second.pop() ?? 0
    const size = this.#items.length
    if (item === undefined || size === 0) return
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      const right = child + 1
      if (right < size && this.#isAfter(child, this.#first[right] ?? 0, this.#second[right] ?? 0))
        child = right
      if (!this.#isBefore(child, first, second)) break
      this.#move(child, at)
      at = child
    }
    this.#put(at, item, first, second)
  }

  /** What stands at a place comes after something ranked like this. */
  #isAfter(place: number, first: number, second: number): boolean {
    const own = this.#first[place] ?? 0
    return own === first ? (this.#second[place] ?? 0) > second : own > first
  }

  #isBefore(place: number, first: number, second: number): boolean {
    const own = this.#first[place] ?? 0
    return own === first ? (this.#second[place] ?? 0) < second : own < first
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#items[from] as C, this.#first[from] ?? 0, this.#second[from] ?? 0)
  }

  #put(at: number, item: C, first: number, second: number): void {
    this.#items[at] = item
    this.#first[at] = first
    this.#second[at] = second
  }
}
