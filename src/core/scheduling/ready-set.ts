/**
 * The tasks that could start now, best first. Adding, removing and finding the best cost a few comparisons,
 * however many tasks there are and however many share an area.
 */
import type { Tier } from '../planning/plan.ts'
import { Heap } from '../planning/dependencies/order.ts'
import type { Area, AreaLocks } from './area-locks.ts'

/** The fields that determine the order. */
export interface Candidate {
  readonly tier: Tier
  readonly area: string
  /** Place in the dependency order, ties in plan order. */
  readonly rank: number
  /** Seconds of the longest chain of tasks that starts with this one. */
  readonly chain: number
  /** The cached area. */
  readonly place?: Area | undefined
  /** Maintained by the ready set that contains it. */
  isQueued: boolean
}

/** The smaller number goes first; of equals, the one that comes first in dependency order, then plan order. */
export type Order = (task: Candidate) => number

export const inPlanOrder: Order = () => 0
/** The critical path goes first. */
export const longestChainFirst: Order = (task) => -task.chain

export function goesBefore(order: Order, a: Candidate, b: Candidate): boolean {
  const [first, second] = [order(a), order(b)]
  return first === second ? a.rank < b.rank : first < second
}

/** A task with what it is ranked by, so that ranking it again needs no look at the task. */
interface Entry<C> {
  readonly task: C
  readonly order: number
  readonly rank: number
}

const isBefore = (a: Entry<unknown>, b: Entry<unknown>): boolean =>
  a.order === b.order ? a.rank < b.rank : a.order < b.order

interface Shelf<C> {
  readonly tier: Tier
  members: number
  /** The ready tasks of one area, best first; entries of removed tasks are skipped when met. */
  readonly byArea: Heap<Entry<C>>[]
  /** The best task of each area, best first; stale entries are skipped when met. */
  readonly best: Heap<Entry<C>>
}

export class ReadySet<C extends Candidate> {
  #size = 0
  readonly #shelves: Readonly<Record<Tier, Shelf<C>>>
  /** Entries set aside because of a locked area, restored when it is released. */
  readonly #aside = new Map<string, C[]>()
  readonly #order: Order
  readonly #locks: AreaLocks

  constructor(order: Order, locks: AreaLocks) {
    this.#order = order
    this.#locks = locks
    const shelf = (tier: Tier): Shelf<C> => ({
      tier,
      members: 0,
      byArea: [],
      best: new Heap<Entry<C>>(isBefore),
    })
    this.#shelves = { critical: shelf('critical'), normal: shelf('normal'), low: shelf('low') }
  }

  get size(): number {
    return this.#size
  }

  /** How many ready tasks a tier has, whether their areas are free or not. */
  count(tier: Tier): number {
    return this.#shelves[tier].members
  }

  add(task: C): void {
    if (task.isQueued) return
    task.isQueued = true
    this.#size++
    const shelf = this.#shelves[task.tier]
    shelf.members++
    const area = this.#queueOf(shelf, task)
    const entry = this.#entryOf(task)
    area.push(entry)
    if (area.peek() === entry) shelf.best.push(entry)
  }

  /** Must be called before the task's tier or area changes. */
  remove(task: C): void {
    if (!task.isQueued) return
    task.isQueued = false
    this.#size--
    const shelf = this.#shelves[task.tier]
    shelf.members--
    const area = this.#queueOf(shelf, task)
    if (area.peek()?.task === task) this.#advance(shelf, area)
  }

  /** Restores the tasks that this area had blocked. */
  freed(area: Area): void {
    if (this.#aside.size === 0) return
    for (let above: Area | null = area; above !== null; above = above.parent) {
      const tasks = this.#aside.get(above.name)
      if (tasks === undefined) continue
      this.#aside.delete(above.name)
      for (const task of tasks) this.#shelves[task.tier].best.push(this.#entryOf(task))
    }
  }

  /** The best ready task of a tier whose area is free, or undefined. */
  best(tier: Tier): C | undefined {
    const shelf = this.#shelves[tier]
    for (;;) {
      const task = shelf.best.peek()?.task
      if (task === undefined) return undefined
      // It was added when it became the best of its area, so a better one would come before it.
      const isCurrent = this.#isOn(shelf, task)
      const blocker = isCurrent ? this.#locks.blocker(this.#areaOf(task)) : null
      if (isCurrent && blocker === null) return task
      shelf.best.pop()
      if (blocker !== null) this.#putAside(blocker, task)
      if (isCurrent) continue
      const area = this.#queueOf(shelf, task)
      if (area.peek()?.task === task) this.#advance(shelf, area)
    }
  }

  #putAside(blocker: string, task: C): void {
    const tasks = this.#aside.get(blocker)
    if (tasks === undefined) this.#aside.set(blocker, [task])
    else tasks.push(task)
  }

  /** A task may have left and come back in another tier: its old entries are stale. */
  #isOn(shelf: Shelf<C>, task: C): boolean {
    return task.tier === shelf.tier && task.isQueued
  }

  #entryOf(task: C): Entry<C> {
    return { task, order: this.#order(task), rank: task.rank }
  }

  #queueOf(shelf: Shelf<C>, task: C): Heap<Entry<C>> {
    const { number } = this.#areaOf(task)
    return (shelf.byArea[number] ??= new Heap<Entry<C>>(isBefore))
  }

  #areaOf(task: C): Area {
    return task.place ?? this.#locks.find(task.area)
  }

  /**
   * Removes the first entry of an area's queue and offers the next without touching its task, which is expensive in a
   * large plan: whether it is stale shows when its turn comes.
   */
  #advance(shelf: Shelf<C>, area: Heap<Entry<C>>): void {
    area.pop()
    const next = area.peek()
    if (next !== undefined) shelf.best.push(next)
  }
}
