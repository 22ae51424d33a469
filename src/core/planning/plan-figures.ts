/** A plan in numbers: tiers, how many tasks could run side by side, how long its longest chain is. */
import { areasConflict } from './areas.ts'
import { longestChain } from './order.ts'
import { TIERS, type Plan, type TaskSpec, type Tier } from './plan.ts'

export interface PlanFigures {
  readonly tasks: number
  readonly byTier: Readonly<Record<Tier, number>>
  /** The most tasks that would run at once, as tiers, dependencies and areas let them. */
  readonly sideBySide: number
  /** The same if normal tasks, too, might run beside others (`scheduling.parallel_tiers`). */
  readonly sideBySideWidened: number
  /** Tasks on the longest path of dependencies; 0 where there is a cycle. */
  readonly longestChain: number
}

/** Widths past this are not told apart: nobody runs more agents at once. */
const MOST_BESIDE = 64

export function planFigures(
  plan: Pick<Plan, 'tasks' | 'order'>,
  parallelTiers: readonly Tier[],
): PlanFigures {
  const places = new Map(plan.tasks.map((task, place) => [task.id, place]))
  const graph = plan.tasks.map((task) => task.dependsOn.flatMap((id) => places.get(id) ?? []))
  const byTier: Record<Tier, number> = { critical: 0, normal: 0, low: 0 }
  for (const task of plan.tasks) byTier[task.tier]++
  return {
    tasks: plan.tasks.length,
    byTier: Object.fromEntries(TIERS.map((tier) => [tier, byTier[tier]])) as Record<Tier, number>,
    sideBySide: widest(plan, graph, parallelTiers),
    sideBySideWidened: widest(plan, graph, [...parallelTiers, 'normal', 'low']),
    longestChain: plan.order.length === 0 ? 0 : longestChain(graph),
  }
}

/** Tasks of the same depth could start together: of those that run beside others, as many as do not share an area. */
function widest(
  plan: Pick<Plan, 'tasks' | 'order'>,
  graph: readonly (readonly number[])[],
  parallelTiers: readonly Tier[],
): number {
  const depth = new Map<number, number>()
  const places = new Map(plan.tasks.map((task, place) => [task.id, place]))
  const levels = new Map<number, TaskSpec[]>()
  let most = Math.min(1, plan.order.length)
  for (const id of plan.order) {
    const place = places.get(id)
    const task = place === undefined ? undefined : plan.tasks[place]
    if (place === undefined || task === undefined) continue
    const level = (graph[place] ?? []).reduce(
      (deepest, need) => Math.max(deepest, (depth.get(need) ?? 0) + 1),
      0,
    )
    depth.set(place, level)
    const beside = levels.get(level) ?? []
    levels.set(level, beside)
    if (
      task.tier === 'critical' ||
      !parallelTiers.includes(task.tier) ||
      beside.length >= MOST_BESIDE ||
      beside.some((other) => areasConflict(other.ownership, task.ownership))
    )
      continue
    beside.push(task)
    most = Math.max(most, beside.length)
  }
  return most
}
