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
