/** What the graph draws: tasks, and groups of completed ones that are folded into a node each. */
import type { PlanTask } from '../tasks/columns.ts'
import type { Places } from './layout-graph.ts'

export type ShownNode =
  | { readonly kind: 'task'; readonly id: string }
  | { readonly kind: 'done'; readonly id: string; readonly tasks: readonly string[] }

export interface ShownEdge {
  readonly from: string
  readonly to: string
}

export interface ShownGraph {
  readonly nodes: readonly ShownNode[]
  readonly edges: readonly ShownEdge[]
}

/** A plan up to this size is drawn whole. */
const SMALL_PLAN = 25

/**
 * The completed tasks that are folded when the graph opens: those that rest on nothing but completed tasks, so that an arrow
 * never leads back into a group.
 */
export function foldableTasks(tasks: readonly PlanTask[]): ReadonlySet<string> {
  if (tasks.length <= SMALL_PLAN) return new Set()
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const folded = new Set(tasks.flatMap(({ id, status }) => (status === 'completed' ? [id] : [])))
  // Each round unfolds what rests on a task that is shown; a dependency that the plan does not have counts as done.
  for (let isSettled = false; !isSettled;) {
    isSettled = true
    for (const id of folded) {
      const rests = byId.get(id)?.depends_on ?? []
      if (rests.some((other) => byId.has(other) && !folded.has(other))) {
        folded.delete(id)
        isSettled = false
      }
    }
  }
  return folded
}

/** Completed tasks that depend on each other become one group. */
export function shownGraph(tasks: readonly PlanTask[], folded: ReadonlySet<string>): ShownGraph {
  const known = new Map(tasks.map((task) => [task.id, task]))
  const groupOf = groupsOf(tasks, folded)
  const groups = Map.groupBy(
    [...groupOf.entries()].filter(([id]) => known.has(id)),
    ([, group]) => group,
  )
  const nodes: ShownNode[] = [
    ...[...groups.entries()].map(([id, members]) => ({
      kind: 'done' as const,
      id,
      tasks: members.map(([task]) => task),
    })),
    ...tasks.flatMap(({ id }) => (groupOf.has(id) ? [] : [{ kind: 'task' as const, id }])),
  ]
  const edges = new Map<string, ShownEdge>()
  for (const task of tasks) {
    if (groupOf.has(task.id)) continue
    for (const dependency of task.depends_on) {
      if (!known.has(dependency)) continue
      const group = groupOf.get(dependency)
      // Of what is done, only an arrow to what can go on says something.
      if (group !== undefined && task.blocked_by.length > 0) continue
      const from = group ?? dependency
      edges.set(`${from} ${task.id}`, { from, to: task.id })
    }
  }
  return { nodes, edges: [...edges.values()] }
}

/** The group of each folded task: tasks that are joined by dependencies, in either direction, are in the same. */
function groupsOf(tasks: readonly PlanTask[], folded: ReadonlySet<string>): ReadonlyMap<string, string> {
  const neighbours = new Map<string, string[]>()
  const join = (a: string, b: string) => neighbours.set(a, [...(neighbours.get(a) ?? []), b])
  for (const { id, depends_on } of tasks) {
    if (!folded.has(id)) continue
    for (const other of depends_on) {
      if (!folded.has(other)) continue
      join(id, other)
      join(other, id)
    }
  }
  const groupOf = new Map<string, string>()
  let count = 0
  // Tasks without neighbours share a group: a hundred nodes with one task each would say nothing.
  for (const { id } of tasks) {
    if (!folded.has(id) || groupOf.has(id)) continue
    const isAlone = !neighbours.has(id)
    const group = isAlone ? 'done:alone' : `done:${count++}`
    const reached = [id]
    for (let next = reached.pop(); next !== undefined; next = reached.pop()) {
      if (groupOf.has(next)) continue
      groupOf.set(next, group)
      reached.push(...(neighbours.get(next) ?? []))
    }
  }
  return groupOf
}

/** Which node the arrow keys go to. */
export type Direction = 'left' | 'right' | 'up' | 'down'

/** Left and right follow the dependencies, up and down the nodes of the same rank; null where there is none. */
export function nextNode(
  graph: ShownGraph,
  places: Places,
  from: string,
  direction: Direction,
): string | null {
  const here = places[from]
  if (here === undefined) return null
  const candidates =
    direction === 'left'
      ? graph.edges.flatMap((edge) => (edge.to === from ? [edge.from] : []))
      : direction === 'right'
        ? graph.edges.flatMap((edge) => (edge.from === from ? [edge.to] : []))
        : graph.nodes.flatMap(({ id }) => {
            const place = places[id]
            if (place === undefined || place.x !== here.x) return []
            return (direction === 'up' ? place.y < here.y : place.y > here.y) ? [id] : []
          })
  const distance = (id: string): number => Math.abs((places[id]?.y ?? 0) - here.y)
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0] ?? null
}
