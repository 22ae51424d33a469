/** Topological order of tasks: dependencies first, ties in plan order. */
import type { TaskSpec } from '../plan.ts'
import { Heap } from './heap.ts'

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
