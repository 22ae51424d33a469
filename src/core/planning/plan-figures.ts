/** Figures of a plan: tiers, possible parallelism, longest chain. */
import { areaKey, keysConflict } from './areas.ts'
import { graphOf, longestChain, type Graph } from './dependencies/order.ts'
import type { Plan, TaskSpec, Tier } from './plan.ts'

export interface PlanFigures {
  readonly tasks: number
  readonly byTier: Readonly<Record<Tier, number>>
  /** The most tasks that can run at once, given tiers, dependencies and areas. */
  readonly sideBySide: number
  /** The same with normal tasks in `scheduling.parallel_tiers`. */
  readonly sideBySideWidened: number
  /** Tasks on the longest dependency path; 0 with a cycle. */
  readonly longestChain: number
}

/** The search stops at this width. */
const MOST_BESIDE = 64

export function planFigures(
  plan: Pick<Plan, 'tasks' | 'order'>,
  parallelTiers: readonly Tier[],
): PlanFigures {
  const graph = graphOf(plan.tasks)
  const byTier: Record<Tier, number> = { critical: 0, normal: 0, low: 0 }
  for (const task of plan.tasks) byTier[task.tier]++
  return {
    tasks: plan.tasks.length,
    byTier,
    sideBySide: widest(plan, graph, parallelTiers),
    sideBySideWidened: widest(plan, graph, [...parallelTiers, 'normal', 'low']),
    longestChain: plan.order.length === 0 ? 0 : longestChain(graph),
  }
}

/** In plans up to this size every task is tried as the start of a group; in larger ones that is too slow. */
const SMALL_PLAN = 100
const MOST_TRIED = 3
/** Further tasks of a huge plan are ignored. */
const MOST_LOOKED_AT = 1000

/** The size of the largest group found of independent tasks without a shared area. */
function widest(plan: Pick<Plan, 'tasks' | 'order'>, graph: Graph, parallelTiers: readonly Tier[]): number {
  if (plan.order.length === 0) return 0
  const isBeside = ({ tier }: TaskSpec): boolean => tier !== 'critical' && parallelTiers.includes(tier)
  const places = plan.tasks.flatMap((task, place) => (isBeside(task) ? [place] : [])).slice(0, MOST_LOOKED_AT)
  const fitsBeside = besideTest(plan.tasks, graph)
  const bound = Math.min(places.length, MOST_BESIDE)
  let most = 1
  for (const first of places.slice(0, places.length <= SMALL_PLAN ? SMALL_PLAN : MOST_TRIED)) {
    if (most >= bound) break
    const group = [first]
    for (const place of places) {
      if (group.length >= MOST_BESIDE) break
      if (group.every((other) => fitsBeside(place, other))) group.push(place)
    }
    most = Math.max(most, group.length)
  }
  return most
}

/** A test whether two tasks can run in parallel: neither waits for the other, and their areas do not conflict. */
function besideTest(tasks: Plan['tasks'], graph: Graph): (a: number, b: number) => boolean {
  const areas = tasks.map(({ ownership }) => areaKey(ownership))
  const ancestors = new Map<number, ReadonlySet<number>>()
  const follows = (later: number, earlier: number): boolean => {
    const found = ancestors.get(later) ?? ancestorsOf(later, graph)
    ancestors.set(later, found)
    return found.has(earlier)
  }
  return (a, b) =>
    a !== b && !follows(a, b) && !follows(b, a) && !keysConflict(areas[a] ?? '', areas[b] ?? '')
}

/** The direct and indirect dependencies of a place. */
function ancestorsOf(place: number, graph: Graph): ReadonlySet<number> {
  const found = new Set(graph[place])
  for (const next of found) for (const need of graph[next] ?? []) found.add(need)
  return found
}
