/**
 * The tasks of a plan by id, in the order they were added. The most recently chosen task is cached, since a
 * lookup among very many misses the CPU caches.
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
    if (this.has(task.spec.id)) throw new Error(`duplicate task id ${task.spec.id}`)
    this.#byId.set(task.spec.id, task)
  }

  /** Caches the task that is likely looked up next. */
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
