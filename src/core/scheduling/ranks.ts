/** The dependency order of tasks, and the longest chain that starts with each. */
import { topologicalOrder } from '../planning/dependencies/order.ts'
import type { IntegrationTest, TaskSpec } from '../planning/plan.ts'

export interface Rank {
  /** Place in the dependency order, ties in plan order. */
  readonly rank: number
  /** Seconds of the longest chain of tasks that starts here, itself included. */
  readonly chain: number
}

/** Whole seconds keep even very long chains small integers, which need no heap memory. */
const seconds = (task: TaskSpec): number => Math.ceil(task.timeBudgetMs / 1000)

/** The rank of each task, in the order given. Dependencies outside the list count as done. */
export function rankTasks(tasks: readonly TaskSpec[]): Rank[] {
  const placeOf = new Map(tasks.map((task, place) => [task.id, place]))
  const graph = tasks.map((task) => task.dependsOn.map((id) => placeOf.get(id) ?? -1))
  const order = topologicalOrder(graph)
  if (order.length < tasks.length) throw new Error('cannot rank tasks with a dependency cycle')
  const ranks: { rank: number; chain: number }[] = tasks.map((task) => ({
    rank: 0,
    chain: seconds(task),
  }))
  for (let rank = order.length - 1; rank >= 0; rank--) {
    const place = order[rank] ?? 0
    const own = ranks[place]
    if (own === undefined) continue
    own.rank = rank
    for (const need of graph[place] ?? []) {
      const before = ranks[need]
      const task = tasks[need]
      if (before !== undefined && task !== undefined)
        before.chain = Math.max(before.chain, seconds(task) + own.chain)
    }
  }
  return ranks
}

/** Integration tests by the layer they wait for. */
export function layersOf(tests: readonly IntegrationTest[]): Map<string, IntegrationTest[]> {
  return Map.groupBy(tests, ({ afterLayer }) => afterLayer)
}
