/** Topological order of tasks: dependencies first, ties in plan order; and cycles, without recursion. */
import type { TaskSpec } from '../plan.ts'

/** Per task, by place in the plan: the places it depends on. Places that are out of range are ignored. */
export type Graph = readonly (readonly number[])[]

/** The place of each id; of a repeated one, the first. */
export function placesOf(tasks: readonly { readonly id: string }[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [place, task] of tasks.entries()) if (!places.has(task.id)) places.set(task.id, place)
  return places
}

/** The graph of tasks that name their dependencies by id; unknown ids are left out. */
export function graphOf(tasks: readonly Pick<TaskSpec, 'id' | 'dependsOn'>[]): Graph {
  const places = placesOf(tasks)
  return tasks.map((task) => task.dependsOn.flatMap((id) => places.get(id) ?? []))
}

/**
 * Every place once, after its dependencies, ties in plan order. Places on a cycle, and their dependents, are left out.
 */
export function topologicalOrder(graph: Graph): readonly number[] {
  const dependents = reversed(graph)
  const waiting = graph.map(() => 0)
  for (const place of dependents.flat()) waiting[place] = (waiting[place] ?? 0) + 1
  const ready = new Heap<number>((a, b) => a < b)
  for (const [place, count] of waiting.entries()) if (count === 0) ready.push(place)
  const order: number[] = []
  for (let place = ready.pop(); place !== undefined; place = ready.pop()) {
    order.push(place)
    for (const dependent of dependents[place] ?? []) {
      const left = (waiting[dependent] ?? 0) - 1
      waiting[dependent] = left
      if (left === 0) ready.push(dependent)
    }
  }
  return order
}

/** Per place, those that depend on it, each once. */
function reversed(graph: Graph): Graph {
  const dependents: number[][] = graph.map(() => [])
  for (const [place, needs] of graph.entries())
    for (const need of new Set(needs)) dependents[need]?.push(place)
  return dependents
}

/** The length of the longest dependency path. Cycles are ignored. */
export function longestChain(graph: Graph): number {
  const depth = new Map<number, number>()
  let longest = 0
  for (const place of topologicalOrder(graph)) {
    let below = 0
    for (const need of graph[place] ?? []) below = Math.max(below, depth.get(need) ?? 0)
    depth.set(place, below + 1)
    longest = Math.max(longest, below + 1)
  }
  return longest
}

/** A binary heap: the least element by `before` is popped first. */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #before: (a: T, b: T) => boolean

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before
  }

  get size(): number {
    return this.#items.length
  }

  peek(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    const items = this.#items
    let at = items.length
    items.push(item)
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = items[parent] as T
      if (!this.#before(item, above)) break
      items[at] = above
      at = parent
    }
    items[at] = item
  }

  pop(): T | undefined {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (items.length > 0 && last !== undefined) this.#sink(last)
    return first
  }

  /** Puts `item` at the top and sifts it down. */
  #sink(item: T): void {
    const items = this.#items
    const size = items.length
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && this.#before(items[child + 1] as T, items[child] as T)) child++
      if (!this.#before(items[child] as T, item)) break
      items[at] = items[child] as T
      at = child
    }
    items[at] = item
  }
}

/** Further cycles are not reported. */
const MOST_CYCLES = 20

/**
 * Cycles as places, each starting at its first task in plan order, without repeating it at the end.
 * Overlapping cycles may be reported only after the first ones are fixed.
 */
export function findCycles(graph: Graph): readonly (readonly number[])[] {
  const cycles: (readonly number[])[] = []
  const cut = graph.map((needs) => [...needs])
  for (let found = true; found && cycles.length < MOST_CYCLES;) {
    found = false
    for (const component of stronglyConnected(cut)) {
      if (cycles.length === MOST_CYCLES) break
      const cycle = shortestCycle(cut, component)
      const last = cycle.at(-1)
      const [first] = cycle
      if (last === undefined || first === undefined) continue
      cycles.push(cycle)
      cut[last] = (cut[last] ?? []).filter((need) => need !== first)
      found = true
    }
  }
  return cycles.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0) || a.length - b.length)
}

/** Strongly connected places, in plan order of their first; single places only with a self-dependency. */
export function stronglyConnected(graph: Graph): readonly (readonly number[])[] {
  const dependents = reversed(graph)
  const onNone = new Set([...topologicalOrder(graph), ...topologicalOrder(dependents)])
  const left = new Set([...graph.keys()].filter((place) => !onNone.has(place)))
  const found: (readonly number[])[] = []
  for (const place of left) {
    const behind = reachable(dependents, place, left)
    const component = [...reachable(graph, place, left)].filter((other) => behind.has(other))
    if (component.length === 0) continue
    for (const member of component) left.delete(member)
    found.push(component.sort((a, b) => a - b))
  }
  return found
}

/** The places that one or more steps lead to; itself only on a cycle. */
function reachable(graph: Graph, from: number, within: ReadonlySet<number>): ReadonlySet<number> {
  const found = new Set<number>()
  const follow = (place: number): void => {
    for (const next of graph[place] ?? []) if (within.has(next)) found.add(next)
  }
  follow(from)
  for (const place of found) follow(place)
  return found
}

/** The shortest path from the component's first place back to itself. */
function shortestCycle(graph: Graph, component: readonly number[]): readonly number[] {
  const [start] = component
  if (start === undefined) return []
  const inside = new Set(component)
  const cameFrom = new Map<number, number>()
  const queue = [start]
  for (const place of queue) {
    for (const need of graph[place] ?? []) {
      if (need === start) return pathTo(place, start, cameFrom)
      if (!inside.has(need) || cameFrom.has(need)) continue
      cameFrom.set(need, place)
      queue.push(need)
    }
  }
  return []
}

function pathTo(end: number, start: number, cameFrom: ReadonlyMap<number, number>): readonly number[] {
  const path = [end]
  for (let at = end; at !== start;) {
    at = cameFrom.get(at) ?? start
    path.push(at)
  }
  return path.reverse()
}
