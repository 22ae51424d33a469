/** The order tasks can be worked in: dependencies first, ties in plan order. */

import { Heap } from './heap.ts'

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
