/**
 * The dependency graph. Finds the tasks that a completion makes ready without touching those that still wait,
 * which is expensive in a large plan (bench/scheduling).
 */
interface Ranked {
  readonly rank: number
}

const NONE = -1

export class Dependents<T extends Ranked> {
  readonly #tasks: T[] = []
  /** By rank: how many tasks it waits for, and its first and last link. */
  readonly #unmet: number[] = []
  readonly #first: number[] = []
  readonly #last: number[] = []
  /** By link: its target rank, and the next link from the same task. */
  readonly #to: number[] = []
  readonly #next: number[] = []

  /** In the order of their ranks, without a gap. */
  add(task: T): void {
    this.#tasks.push(task)
    this.#unmet.push(0)
    this.#first.push(NONE)
    this.#last.push(NONE)
  }

  /** Records that the second task depends on the first. */
  link(needed: T, dependent: T): void {
    const link = this.#to.push(dependent.rank) - 1
    this.#next.push(NONE)
    const last = this.#last[needed.rank] ?? NONE
    if (last === NONE) this.#first[needed.rank] = link
    else this.#next[last] = link
    this.#last[needed.rank] = link
  }

  /** Counts one more unmet dependency. */
  wait(dependent: T): void {
    this.#unmet[dependent.rank] = this.unmet(dependent) + 1
  }

  /** Counts one unmet dependency less: it will never be met. */
  forgo(dependent: T): void {
    this.#unmet[dependent.rank] = this.unmet(dependent) - 1
  }

  /** The number of unmet dependencies. */
  unmet(dependent: T): number {
    return this.#unmet[dependent.rank] ?? 0
  }

  /** In the order they were linked. */
  of(needed: T): T[] {
    const dependents: T[] = []
    this.#each(needed, (rank) => dependents.push(this.#tasks[rank] as T))
    return dependents
  }

  /** The tasks that become ready once this one is completed. */
  settle(needed: T, free: (task: T) => void): void {
    this.#each(needed, (rank) => {
      const unmet = (this.#unmet[rank] ?? 0) - 1
      this.#unmet[rank] = unmet
      if (unmet === 0) free(this.#tasks[rank] as T)
    })
  }

  #each({ rank }: T, see: (rank: number) => void): void {
    for (let link = this.#first[rank] ?? NONE; link !== NONE; link = this.#next[link] ?? NONE) {
      see(this.#to[link] ?? NONE)
    }
  }
}
