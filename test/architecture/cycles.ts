export interface Edge<Place> {
  readonly from: string
  readonly to: string
  readonly place: Place
}

export interface Cycle<Place> {
  /** Where the import stands that closes the circle. */
  readonly place: Place
  /** From a name back to itself. */
  readonly names: readonly string[]
}

/** One cycle for every edge that leads back to a name on the way to it. Depth first, in the order of the edges. */
export function cyclesOf<Place>(edges: readonly Edge<Place>[]): readonly Cycle<Place>[] {
  const outgoing = Map.groupBy(edges, (edge) => edge.from)
  const finished = new Set<string>()
  const cycles: Cycle<Place>[] = []

  const visit = (name: string, way: readonly string[]): void => {
    const here = [...way, name]
    for (const edge of outgoing.get(name) ?? []) {
      const start = here.indexOf(edge.to)
      if (start !== -1) cycles.push({ place: edge.place, names: [...here.slice(start), edge.to] })
      else if (!finished.has(edge.to)) visit(edge.to, here)
    }
    finished.add(name)
  }
  for (const name of outgoing.keys()) if (!finished.has(name)) visit(name, [])
  return cycles
}

/** Every edge between two names that can reach each other: an import that closes a circle adds at least one. */
export function edgesOnCircles(edges: readonly Pick<Edge<unknown>, 'from' | 'to'>[]): readonly string[] {
  const outgoing = Map.groupBy(edges, (edge) => edge.from)
  const reached = new Map<string, ReadonlySet<string>>()
  for (const name of outgoing.keys()) {
    const seen = new Set<string>()
    const queue = [name]
    for (const one of queue)
      for (const { to } of outgoing.get(one) ?? []) {
        if (seen.has(to)) continue
        seen.add(to)
        queue.push(to)
      }
    reached.set(name, seen)
  }
  const onCircle = edges.filter(({ from, to }) => from !== to && reached.get(to)?.has(from) === true)
  return [...new Set(onCircle.map(({ from, to }) => `${from} → ${to}`))].sort()
}
