/** A part of the repository that one task at a time may change. */

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

/** Whether one contains the other, so that only one can be held. */
export const doMeet = (a: Area, b: Area): boolean => contains(a, b) || contains(b, a)

function contains(outer: Area, inner: Area): boolean {
  for (let above: Area | null = inner; above !== null; above = above.parent) if (above === outer) return true
  return false
}
