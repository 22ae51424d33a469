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
  /** How many taken areas are in this one, itself included. */
  readonly #within = new Map<string, number>()
  /** Areas come again and again: what contains each is worked out once. */
  readonly #containing = new Map<string, readonly string[]>()

  take(area: string): void {
    change(this.#taken, area, 1)
    for (const above of this.containing(area)) change(this.#within, above, 1)
  }

  free(area: string): void {
    change(this.#taken, area, -1)
    for (const above of this.containing(area)) change(this.#within, above, -1)
  }

  /**
   * What keeps this area from being taken: an area that contains it and is taken, or the area itself
   * when something in it is. Null when nothing does.
   */
  blocker(area: string): string | null {
    if (this.#taken.size === 0) return null
    for (const above of this.containing(area)) if (this.#taken.has(above)) return above
    return this.#within.has(area) ? area : null
  }

  /** The area and everything that contains it: whatever may have been blocked by it, see `blocker`. */
  containing(area: string): readonly string[] {
    let areas = this.#containing.get(area)
    if (areas === undefined) this.#containing.set(area, (areas = containing(area)))
    return areas
  }
}

function change(counts: Map<string, number>, area: string, by: 1 | -1): void {
  const count = (counts.get(area) ?? 0) + by
  if (count > 0) counts.set(area, count)
  else counts.delete(area)
}
