/**
 * Which areas are taken. Areas are labels; where they look like paths, an area conflicts with its
 * parents and children as well, and `.` (the whole repository) conflicts with everything.
 */
const WHOLE = '.'

/** The area and everything that contains it, the area itself first: a/b/c, a/b, a, `.`. */
function containing(area: string): string[] {
  const areas = [area]
  for (let slash = area.lastIndexOf('/'); slash > 0; slash = area.lastIndexOf('/', slash - 1)) {
    areas.push(area.slice(0, slash))
  }
  if (area !== WHOLE) areas.push(WHOLE)
  return areas
}

/** Areas are counted: a task that a person let go on may meet another one in its area. */
export class AreaLocks {
  readonly #taken = new Map<string, number>()
  /** Under each area that contains a taken one, the taken areas below it. */
  readonly #below = new Map<string, Set<string>>()

  take(area: string): void {
    const taken = this.#taken.get(area) ?? 0
    this.#taken.set(area, taken + 1)
    if (taken > 0) return
    for (const above of containing(area)) {
      const below = this.#below.get(above)
      if (below === undefined) this.#below.set(above, new Set([area]))
      else below.add(area)
    }
  }

  free(area: string): void {
    const taken = this.#taken.get(area) ?? 0
    if (taken > 1) {
      this.#taken.set(area, taken - 1)
      return
    }
    this.#taken.delete(area)
    for (const above of containing(area)) {
      const below = this.#below.get(above)
      below?.delete(area)
      if (below?.size === 0) this.#below.delete(above)
    }
  }

  /** A taken area that keeps this one from being taken, or null. */
  blocker(area: string): string | null {
    if (this.#taken.size === 0) return null
    for (const above of containing(area)) if (this.#taken.has(above)) return above
    const [first] = this.#below.get(area) ?? []
    return first ?? null
  }
}
