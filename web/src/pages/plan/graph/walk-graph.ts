/** Which node the arrow keys go to. */
import type { Places } from './layout-graph.ts'
import type { ShownGraph } from './shown-graph.ts'

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
