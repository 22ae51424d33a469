/**
 * The tasks that could start now, kept by the fold, best first. Adding, removing and finding the
 * best cost a few comparisons, however many tasks there are and however many of them share an area.
 */
import type { Tier } from '../planning/plan.ts'
import type { Area, AreaLocks } from './area-locks.ts'
import { Heap } from '../heap.ts'

/** What the order of tasks depends on. */
export interface Candidate {
  readonly tier: Tier
  readonly area: string
  /** Place in the dependency order, ties in plan order. */
  readonly rank: number
  /** Time of the longest chain of tasks that starts with this one. */
  readonly chain: number
}

export type Before = (a: Candidate, b: Candidate) => boolean

/** Dependency order, then plan order. */
export const inPlanOrder: Before = (a, b) => a.rank < b.rank
/** The longest remaining chain first: what is on the critical path must not wait. */
export const longestChainFirst: Before = (a, b) => (a.chain === b.chain ? a.rank < b.rank : a.chain > b.chain)

interface Shelf<C> {
  readonly tier: Tier
  members: number
  /** The ready tasks of one area, best first; entries of removed tasks are skipped when met. */
  readonly byArea: Map<string, Heap<C>>
  /** The best task of each area, best first; stale entries are skipped when met. */
  readonly best: Heap<C>
}

export class ReadySet<C extends Candidate> {
  readonly #members = new Set<C>()
  readonly #shelves = new Map<Tier, Shelf<C>>()
  /** Shelf entries put aside because of a taken area, to come back when it is freed. */
  readonly #aside = new Map<string, C[]>()
  readonly #before: Before
  readonly #locks: AreaLocks

  constructor(before: Before, locks: AreaLocks) {
    this.#before = before
    this.#locks = locks
  }

  get size(): number {
    return this.#members.size
  }

  /** How many ready tasks a tier has, whether their areas are free or not. */
  count(tier: Tier): number {
    return this.#shelves.get(tier)?.members ?? 0
  }

  has(task: C): boolean {
    return this.#members.has(task)
  }

  [Symbol.iterator](): IterableIterator<C> {
    return this.#members[Symbol.iterator]()
  }

  add(task: C): void {
    if (this.#members.has(task)) return
    this.#members.add(task)
    const shelf = this.#shelf(task.tier)
    shelf.members++
    let area = shelf.byArea.get(task.area)
    if (area === undefined) shelf.byArea.set(task.area, (area = new Heap<C>(this.#before)))
    area.push(task)
    if (area.peek() === task) shelf.best.push(task)
  }

  /** Must be called before the task's tier or area changes. */
  remove(task: C): void {
    if (!this.#members.delete(task)) return
    const shelf = this.#shelf(task.tier)
    shelf.members--
    const next = this.#top(shelf, task.area)
    if (next !== undefined) shelf.best.push(next)
  }

  /** The tasks that were held up by this area may be looked at again. */
  freed(area: string): void {
    if (this.#aside.size === 0) return
    for (let above: Area | null = this.#locks.find(area); above !== null; above = above.parent) {
      const tasks = this.#aside.get(above.name)
      if (tasks === undefined) continue
      this.#aside.delete(above.name)
      for (const task of tasks) this.#shelf(task.tier).best.push(task)
    }
  }

  /** The best ready task of a tier whose area is free, or undefined. */
  best(tier: Tier): C | undefined {
    const shelf = this.#shelves.get(tier)
    if (shelf === undefined) return undefined
    for (;;) {
      const task = shelf.best.peek()
      if (task === undefined) return undefined
      const isCurrent = this.#isOn(shelf, task) && this.#top(shelf, task.area) === task
      const blocker = isCurrent ? this.#locks.blocker(task.area) : null
      if (isCurrent && blocker === null) return task
      shelf.best.pop()
      if (blocker !== null) this.#putAside(blocker, task)
    }
  }

  #putAside(blocker: string, task: C): void {
    const tasks = this.#aside.get(blocker)
    if (tasks === undefined) this.#aside.set(blocker, [task])
    else tasks.push(task)
  }

  /** A task may have left and come back in another tier: its old entries are stale. */
  #isOn(shelf: Shelf<C>, task: C): boolean {
    return task.tier === shelf.tier && this.#members.has(task)
  }

  #shelf(tier: Tier): Shelf<C> {
    let shelf = this.#shelves.get(tier)
    if (shelf === undefined) {
      shelf = { tier, members: 0, byArea: new Map(), best: new Heap<C>(this.#before) }
      this.#shelves.set(tier, shelf)
    }
    return shelf
  }

  /** The best member of an area, dropping what is no longer a member. */
  #top(shelf: Shelf<C>, area: string): C | undefined {
    const heap = shelf.byArea.get(area)
    if (heap === undefined) return undefined
    for (;;) {
      const task = heap.peek()
      if (task === undefined || this.#isOn(shelf, task)) return task
      heap.pop()
    }
  }
}
