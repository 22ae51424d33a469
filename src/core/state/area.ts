/** A part of the repository that one task at a time may change. */

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
