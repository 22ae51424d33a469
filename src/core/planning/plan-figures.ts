/** Figures of a plan: tiers, possible parallelism, longest chain. */
import { areasConflict } from './areas.ts'
import { longestChain } from './dependencies/order.ts'
import { TIERS, type Plan, type TaskSpec, type Tier } from './plan.ts'

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

/** In plans up to this size every task is tried as the start of a group; in larger ones that is too slow. */
const SMALL_PLAN = 100
const MOST_TRIED = 3
/** Further tasks of a huge plan are ignored. */
const MOST_LOOKED_AT = 1000

/** The size of the largest group found of independent tasks without a shared area. */
function widest(
  plan: Pick<Plan, 'tasks' | 'order'>,
  graph: readonly (readonly number[])[],
  parallelTiers: readonly Tier[],
): number {
  if (plan.order.length === 0) return 0
  const isBeside = ({ tier }: TaskSpec): boolean => tier !== 'critical' && parallelTiers.includes(tier)
  const places = plan.tasks.flatMap((task, place) => (isBeside(task) ? [place] : [])).slice(0, MOST_LOOKED_AT)
  const beside = new Pairs(plan, graph)
  const bound = Math.min(places.length, MOST_BESIDE)
  let most = 1
  for (const first of places.slice(0, places.length <= SMALL_PLAN ? SMALL_PLAN : MOST_TRIED)) {
    if (most >= bound) break
    const group = [first]
    for (const place of places) {
      if (group.length >= MOST_BESIDE) break
      if (group.every((other) => beside.fit(place, other))) group.push(place)
    }
    most = Math.max(most, group.length)
  }
  return most
}

/** Which two tasks can run in parallel; each pair is computed once. */
class Pairs {
  readonly #known = new Map<number, boolean>()
  readonly #tasks: Plan['tasks']
  readonly #before: Ancestors

  constructor({ tasks }: Pick<Plan, 'tasks'>, graph: readonly (readonly number[])[]) {
    this.#tasks = tasks
    this.#before = new Ancestors(graph)
  }

  fit(a: number, b: number): boolean {
    const pair = Math.min(a, b) * this.#tasks.length + Math.max(a, b)
    const known = this.#known.get(pair)
    if (known !== undefined) return known
    const fits = this.#look(a, b)
    this.#known.set(pair, fits)
    return fits
  }

  #look(a: number, b: number): boolean {
    if (a === b || this.#before.has(a, b) || this.#before.has(b, a)) return false
    return !areasConflict(this.#tasks[a]?.ownership ?? '.', this.#tasks[b]?.ownership ?? '.')
  }
}

/** The direct and indirect dependencies of each place, computed on demand. */
class Ancestors {
  readonly #graph: readonly (readonly number[])[]
  readonly #known = new Map<number, ReadonlySet<number>>()

  constructor(graph: readonly (readonly number[])[]) {
    this.#graph = graph
  }

  has(place: number, ancestor: number): boolean {
    return this.#of(place).has(ancestor)
  }

  #of(place: number): ReadonlySet<number> {
    const known = this.#known.get(place)
    if (known !== undefined) return known
    const found = new Set<number>()
    const queue = [...(this.#graph[place] ?? [])]
    for (const next of queue) {
      if (found.has(next)) continue
      found.add(next)
      queue.push(...(this.#graph[next] ?? []))
    }
    this.#known.set(place, found)
    return found
  }
}
