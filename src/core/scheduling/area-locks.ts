/**
 * Which areas are taken. Areas are labels; where they look like paths, an area conflicts with its
 * parents and children as well, and `.` (the whole repository) conflicts with everything.
 */
const WHOLE = '.'

/** An area, known by what contains it. */
export interface Area {
  readonly name: string
  /** Areas are numbered from 0 as they come up. */
  readonly number: number
  /** Null for the whole repository. */
  readonly parent: Area | null
  /** How often it is taken: a task that a person let go on may meet another one in its area. */
  taken: number
  /** How many taken areas are in it, itself included. */
  within: number
}

/** Whether one of them contains the other, so that only one can be taken. */
export const doMeet = (a: Area, b: Area): boolean => contains(a, b) || contains(b, a)

function contains(outer: Area, inner: Area): boolean {
  for (let above: Area | null = inner; above !== null; above = above.parent) if (above === outer) return true
  return false
}

export class AreaLocks {
  readonly #whole: Area = { name: WHOLE, number: 0, parent: null, taken: 0, within: 0 }
  readonly #areas = new Map<string, Area>([[WHOLE, this.#whole]])

  take(area: Area): void {
    area.taken++
    for (let above: Area | null = area; above !== null; above = above.parent) above.within++
  }

  free(area: Area): void {
    area.taken--
    for (let above: Area | null = area; above !== null; above = above.parent) above.within--
  }

  /**
   * What keeps this area from being taken: an area that contains it and is taken, or the area itself
   * when something in it is. Null when nothing does.
   */
  blocker(area: Area): string | null {
    if (this.#whole.within === 0) return null
    for (let above: Area | null = area; above !== null; above = above.parent) {
      if (above.taken > 0) return above.name
    }
    return area.within > 0 ? area.name : null
  }

  /** The area with all that contains it, which is whatever it may have blocked, see `blocker`. */
  find(name: string): Area {
    const known = this.#areas.get(name)
    if (known !== undefined) return known
    const slash = name.lastIndexOf('/')
    const parent = slash > 0 ? this.find(name.slice(0, slash)) : this.#whole
    const area: Area = { name, number: this.#areas.size, parent, taken: 0, within: 0 }
    this.#areas.set(name, area)
    return area
  }
}
