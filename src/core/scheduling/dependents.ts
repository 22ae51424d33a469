/**
 * Who waits for whom. What a completion sets free is found without a look at the tasks that go on waiting:
 * in a large plan such a look is what costs (bench/scheduling).
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
  /** By link: the rank it leads to, and the next link from the same task. */
  readonly #to: number[] = []
  readonly #next: number[] = []

  /** In the order of their ranks, without a gap. */
  add(task: T): void {
    this.#tasks.push(task)
    this.#unmet.push(0)
    this.#first.push(NONE)
    this.#last.push(NONE)
  }

  /** The one is needed by the other. */
  link(needed: T, dependent: T): void {
    const link = this.#to.push(dependent.rank) - 1
    this.#next.push(NONE)
    const last = this.#last[needed.rank] ?? NONE
    if (last === NONE) this.#first[needed.rank] = link
    else this.#next[last] = link
    this.#last[needed.rank] = link
  }

  /** Of those it needs, one more is not there yet. */
  wait(dependent: T): void {
    this.#unmet[dependent.rank] = this.unmet(dependent) + 1
  }

  /** How many of those it needs are not there yet. */
  unmet(dependent: T): number {
    return this.#unmet[dependent.rank] ?? 0
  }

  /** In the order they were linked. */
  of(needed: T): T[] {
    const dependents: T[] = []
    this.#each(needed, (rank) => dependents.push(this.#tasks[rank] as T))
    return dependents
  }

  /** Those that wait for nothing more, once this one is there. */
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
