/**
 * The locked areas. Areas are labels; where they look like paths, an area conflicts with its
 * parents and children as well, and `.` (the whole repository) conflicts with everything.
 */

/** An area and the areas that contain it. */
export interface Area {
  readonly name: string
  /** Numbered from 0 in the order of creation. */
  readonly number: number
  /** Null for the whole repository. */
  readonly parent: Area | null
  /** How many tasks hold it: more than one where a person let a task continue beside another. */
  taken: number
  /** How many held areas it contains, itself included. */
  within: number
}

const WHOLE = '.'

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
   * What keeps this area from being locked: a locked area that contains it, or the area itself when something
   * in it is locked. Null when nothing does.
   */
  blocker(area: Area): string | null {
    if (this.#whole.within === 0) return null
    for (let above: Area | null = area; above !== null; above = above.parent) {
      if (above.taken > 0) return above.name
    }
    return area.within > 0 ? area.name : null
  }

  /** The area and all areas that contain it: those it may have blocked, see `blocker`. */
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
