/** The order tasks can be worked in: dependencies first, ties in plan order. */

/** Per task, by place in the plan: the places it depends on. Places that are out of range are ignored. */
export type Graph = readonly (readonly number[])[]

/**
 * Every place once, each after the places it depends on; among those that could come next, the first in the plan.
 * Places on a cycle, and those behind one, are left out.
 */
export function topologicalOrder(graph: Graph): readonly number[] {
  const waiting = graph.map(() => 0)
  const dependents: number[][] = graph.map(() => [])
  for (const [place, needs] of graph.entries()) {
    for (const need of new Set(needs)) {
      const behind = dependents[need]
      if (behind === undefined) continue
      behind.push(place)
      waiting[place] = (waiting[place] ?? 0) + 1
    }
  }
  const ready = new Heap()
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

/** How many tasks stand behind one another on the longest path, by place. Cycles count as nothing. */
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

/** Gives numbers back smallest first. */
class Heap {
  readonly #items: number[] = []

  push(item: number): void {
    const items = this.#items
    let at = items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = items[parent] ?? item
      if (above <= item) break
      items[at] = above
      at = parent
    }
    items[at] = item
  }

  pop(): number | undefined {
    const items = this.#items
    const [first] = items
    const last = items.pop()
    if (first === undefined || last === undefined || items.length === 0) return first
    let at = 0
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      const right = items[child + 1]
      if (right !== undefined && right < (items[child] ?? right)) child++
      const smaller = items[child] ?? last
      if (smaller >= last) break
      items[at] = smaller
      at = child
    }
    items[at] = last
    return first
  }
}
