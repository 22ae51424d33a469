/** A plan in numbers: tiers, how many tasks could run side by side, how long its longest chain is. */
import { areasConflict } from './areas.ts'
import { longestChain } from './dependencies/order.ts'
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

/** In a plan of this size each task is tried as the first of those that run together; a larger one is not worth the wait. */
const SMALL_PLAN = 100
const MOST_TRIED = 3
/** Further tasks of a plan without end are not looked at. */
const MOST_LOOKED_AT = 1000

/** The largest group found of tasks that may run beside others, wait for none of each other, and share no area. */
function widest(
  plan: Pick<Plan, 'tasks' | 'order'>,
  graph: readonly (readonly number[])[],
  parallelTiers: readonly Tier[],
): number {
  if (plan.order.length === 0) return 0
  const isBeside = ({ tier }: TaskSpec): boolean => tier !== 'critical' && parallelTiers.includes(tier)
  const places = plan.tasks.flatMap((task, place) => (isBeside(task) ? [place] : [])).slice(0, MOST_LOOKED_AT)
  const beside = new Pairs(plan, graph)
  // Nothing wider can be found.
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

/** Which two tasks can run beside each other; each pair is looked at once, though many groups ask about it. */
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

/** What each place waits for, directly or not; worked out for those that are asked about. */
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
