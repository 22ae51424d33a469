/**
 * The tasks of a plan by id, in the order they were added. A Map does the same, but in a large plan it
 * waits for memory: its entries lie anywhere, and so do those that it has to pass. Here ids that differ in
 * their last characters only lie side by side, as tasks do that come up at about the same time.
 */
const SPREAD = 1001

export class TaskIndex<T extends { readonly spec: { readonly id: string } }> {
  readonly #tasks: T[] = []
  /** In pairs: the hash of an id, and the place of its task counted from 1. */
  #slots = new Int32Array(32)

  get size(): number {
    return this.#tasks.length
  }

  get(id: string): T | undefined {
    return this.#tasks[(this.#slots[this.#find(id) + 1] ?? 0) - 1]
  }

  has(id: string): boolean {
    return this.get(id) !== undefined
  }

  add(task: T): void {
    if (this.has(task.spec.id)) throw new Error(`there are two tasks ${task.spec.id}`)
    if (4 * this.#tasks.length >= this.#slots.length) this.#grow()
    this.#put(task.spec.id, this.#tasks.push(task))
  }

  values(): ArrayIterator<T> {
    return this.#tasks.values()
  }

  *keys(): Generator<string> {
    for (const task of this.#tasks) yield task.spec.id
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length)
    for (const [place, task] of this.#tasks.entries()) this.#put(task.spec.id, place + 1)
  }

  #put(id: string, number: number): void {
    const at = this.#find(id)
    this.#slots[at] = hashOf(id)
    this.#slots[at + 1] = number
  }

  /** Where the id is, or else the free slot where it belongs. */
  #find(id: string): number {
    const slots = this.#slots
    const mask = slots.length - 2
    const hash = hashOf(id)
    let at = (2 * hash) & mask
    for (let step = 2; ; step += 2) {
      const number = slots[at + 1] ?? 0
      if (number === 0) return at
      if (slots[at] === hash && this.#tasks[number - 1]?.spec.id === id) return at
      at = (at + step) & mask
    }
  }
}

function hashOf(id: string): number {
  let hash = 0
  for (let place = 0; place < id.length; place++) hash = (Math.imul(hash, SPREAD) + id.charCodeAt(place)) | 0
  return hash
}
