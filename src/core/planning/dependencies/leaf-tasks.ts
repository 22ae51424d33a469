/** Tracks tasks without followers while a plan is read top to bottom, at a cost independent of the plan's size. */
import { EVERYTHING } from '../areas.ts'

/** Beyond this many tasks, only the phase's first task waits for the phase before. */
const WIDEST_BARRIER = 100

/** Tasks without a follower, by phase. */
export class LeafTasks {
  readonly #phases = new Map<number, Set<number>>()
  readonly #phaseOf = new Map<number, number>()
  readonly #all = new Set<number>()

  add(place: number, phase: number, follows: Iterable<number>): void {
    for (const earlier of follows) {
      this.#all.delete(earlier)
      // A follower in a later phase does not count within the phase.
      if (this.#phaseOf.get(earlier) === phase) this.#phases.get(phase)?.delete(earlier)
    }
    this.#all.add(place)
    this.#phaseOf.set(place, phase)
    put(this.#phases, phase, place)
  }

  of(phase: number): readonly number[] {
    return [...(this.#phases.get(phase) ?? [])]
  }

  all(): readonly number[] {
    return [...this.#all]
  }
}

/** The tasks a phase waits for: the leaves of the phase before it. */
export class Barrier {
  #phase: number | undefined
  #first = 0
  #ends: readonly number[] = []

  enter(phase: number, place: number, open: LeafTasks): void {
    if (phase === this.#phase) return
    this.#ends = this.#phase === undefined ? [] : open.of(this.#phase)
    this.#phase = phase
    this.#first = place
  }

  ends(place: number): readonly number[] {
    return place === this.#first || this.#ends.length <= WIDEST_BARRIER ? this.#ends : [this.#first]
  }

  /** The verification task at the end of the phase before, if any. */
  gate(isGate: (end: number) => boolean): number | undefined {
    const [only, ...others] = this.#ends
    return only !== undefined && others.length === 0 && isGate(only) ? only : undefined
  }
}

/** Tasks without a follower in their own area, and the newest of each area. */
export class AreaLeaves {
  readonly #newest = new Map<string, number>()
  readonly #newestWithin = new Map<string, number>()
  /** Leaves in exactly this area. */
  readonly #ends = new Map<string, Set<number>>()
  /** Leaves in this area or below it. */
  readonly #endsWithin = new Map<string, Set<number>>()
  readonly #areaOf = new Map<number, string>()

  add(area: string, place: number, follows: Iterable<number>): void {
    for (const earlier of follows) this.#close(earlier)
    this.#areaOf.set(place, area)
    this.#newest.set(area, place)
    put(this.#ends, area, place)
    for (const parent of withParents(area)) {
      this.#newestWithin.set(parent, place)
      put(this.#endsWithin, parent, place)
    }
  }

  /** The tasks that a task of this area follows: every conflicting leaf, and the newest conflicting task. */
  before(area: string): readonly number[] {
    const parents = withParents(area)
    const newest = [
      this.#newestWithin.get(area),
      ...parents.map((parent) => this.#newest.get(parent)),
    ].filter((place) => place !== undefined)
    const ends = [this.#endsWithin.get(area), ...parents.map((parent) => this.#ends.get(parent))]
    const found = new Set(ends.flatMap((places) => [...(places ?? [])]))
    if (newest.length > 0) found.add(Math.max(...newest))
    return [...found].sort((a, b) => a - b)
  }

  #close(place: number): void {
    const area = this.#areaOf.get(place)
    if (area === undefined) return
    this.#ends.get(area)?.delete(place)
    for (const parent of withParents(area)) this.#endsWithin.get(parent)?.delete(place)
  }
}

/** `a/b` → `a/b`, `a`, `.` */
function withParents(area: string): readonly string[] {
  const found: string[] = []
  for (let at = area; at !== '' && at !== EVERYTHING; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
    found.push(at)
  return [...found, EVERYTHING]
}

export function put<K>(map: Map<K, Set<number>>, key: K, value: number): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, new Set([value]))
  else values.add(value)
}
