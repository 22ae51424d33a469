/**
 * The tasks of a plan by id, in the order they were added. To find one of very many means to wait for
 * memory; the one that was just chosen is not searched for.
 */
export class TaskIndex<T extends { readonly spec: { readonly id: string } }> {
  readonly #byId = new Map<string, T>()
  #expected: T | null = null

  get size(): number {
    return this.#byId.size
  }

  get(id: string): T | undefined {
    const expected = this.#expected
    if (expected === null) return this.#byId.get(id)
    this.#expected = null
    return expected.spec.id === id ? expected : this.#byId.get(id)
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  add(task: T): void {
    if (this.has(task.spec.id)) throw new Error(`there are two tasks ${task.spec.id}`)
    this.#byId.set(task.spec.id, task)
  }

  /** This one is likely the next to be asked for. */
  expect(task: T): void {
    this.#expected = task
  }

  values(): MapIterator<T> {
    return this.#byId.values()
  }

  keys(): MapIterator<string> {
    return this.#byId.keys()
  }
}
