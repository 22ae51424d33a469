/** Finds dependency cycles without recursion: a plan may have 100,000 tasks in one chain. */
import type { Graph } from './order.ts'

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

/** Strongly connected places (Tarjan), in plan order of their first; single places only with a self-dependency. */
export function stronglyConnected(graph: Graph): readonly (readonly number[])[] {
  const index = new Int32Array(graph.length).fill(-1)
  const low = new Int32Array(graph.length)
  const open = new Uint8Array(graph.length)
  const stack: number[] = []
  const found: number[][] = []
  let counter = 0
  for (let root = 0; root < graph.length; root++) {
    if (index[root] !== -1) continue
    const calls: { readonly place: number; next: number }[] = []
    const enter = (place: number): void => {
      index[place] = counter
      low[place] = counter
      counter++
      stack.push(place)
      open[place] = 1
      calls.push({ place, next: 0 })
    }
    enter(root)
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const { place } = call
      const need = graph[place]?.[call.next]
      if (need !== undefined) {
        call.next++
        if (need < 0 || need >= graph.length) continue
        if (index[need] === -1) enter(need)
        else if (open[need] === 1) low[place] = Math.min(low[place] ?? 0, index[need] ?? 0)
        continue
      }
      calls.pop()
      const caller = calls.at(-1)
      if (caller !== undefined) low[caller.place] = Math.min(low[caller.place] ?? 0, low[place] ?? 0)
      if (low[place] !== index[place]) continue
      const component: number[] = []
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        open[member] = 0
        component.push(member)
        if (member === place) break
      }
      if (component.length > 1 || graph[place]?.includes(place)) found.push(component.sort((a, b) => a - b))
    }
  }
  return found.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
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
