/**
 * What the order of a document says about tasks that nothing else links. Authors write in the order they would work in, so:
 * - a verification follows everything before it in its phase, and the last task of the plan everything before it;
 * - a task follows the nearest task before it in the same area (they could not run side by side anyway);
 * - else it follows the phase before its own.
 * In Spec Kit a phase waits for the one before it, `[P]` tasks run side by side, and the others one after another.
 */
import { EVERYTHING } from './areas.ts'

export interface Sequenced {
  readonly phase: string | null
  readonly area: string
  readonly verification: boolean
  /** Marked `[P]`. */
  readonly parallel: boolean
  /** The author says what it depends on. */
  readonly stated: boolean
  /** Places of the earlier tasks that files and mentions link it to. */
  readonly links: readonly number[]
}

/** Past this many tasks, a barrier is held by the phase's first task alone. */
const WIDEST_BARRIER = 100

/** Per task, the places it follows, `links` included. */
export function sequenceByDocument(tasks: readonly Sequenced[]): readonly (readonly number[])[] {
  const phases = phaseNumbers(tasks)
  const open = new OpenEnds()
  const areas = new NearestInArea()
  const barrier = new Barrier()
  return tasks.map((task, place) => {
    const phase = phases[place] ?? 0
    barrier.enter(phase, place, open)
    const links = new Set(task.links)
    const last = place === tasks.length - 1
    if (!task.stated && task.verification) {
      for (const end of last ? open.all() : open.of(phase)) links.add(end)
      if (links.size === 0) for (const end of barrier.ends(place)) links.add(end)
    } else if (!task.stated && links.size === 0) {
      const nearest = areas.before(task.area)
      if (nearest !== undefined) links.add(nearest)
      else for (const end of barrier.ends(place)) links.add(end)
    }
    open.add(place, phase, links)
    areas.add(task.area, place)
    return [...links].sort((a, b) => a - b)
  })
}

export function sequenceSpecKit(tasks: readonly Sequenced[]): readonly (readonly number[])[] {
  const phases = phaseNumbers(tasks)
  const open = new OpenEnds()
  const barrier = new Barrier()
  let gate: number | undefined
  let sinceGate: number[] = []
  let current: number | undefined
  return tasks.map((task, place) => {
    const phase = phases[place] ?? 0
    barrier.enter(phase, place, open)
    if (phase !== current) [current, gate, sinceGate] = [phase, undefined, []]
    const links = new Set(task.links)
    if (!task.stated) {
      const before = task.parallel ? [gate] : [gate, ...sinceGate]
      for (const earlier of before) if (earlier !== undefined) links.add(earlier)
      if (![...links].some((link) => phases[link] === phase)) {
        for (const end of barrier.ends(place)) links.add(end)
      }
    }
    if (task.parallel) sinceGate.push(place)
    else [gate, sinceGate] = [place, []]
    open.add(place, phase, links)
    return [...links].sort((a, b) => a - b)
  })
}

/** Phases counted in the order of their headings; a phase is one run of tasks under the same heading. */
function phaseNumbers(tasks: readonly Sequenced[]): readonly number[] {
  let number = 0
  return tasks.map((task, place) => {
    const before = tasks[place - 1]
    if (before !== undefined && before.phase !== task.phase) number++
    return number
  })
}

/** Tasks that nobody follows yet, by phase. */
class OpenEnds {
  readonly #phases = new Map<number, Set<number>>()
  readonly #phaseOf = new Map<number, number>()
  /** Followed by a task of a later phase: still an end of its own. */
  readonly #followedLater = new Set<number>()

  add(place: number, phase: number, links: Iterable<number>): void {
    for (const link of links) {
      if (this.#phaseOf.get(link) === phase) this.#phases.get(phase)?.delete(link)
      else this.#followedLater.add(link)
    }
    this.#phaseOf.set(place, phase)
    const ends = this.#phases.get(phase)
    if (ends === undefined) this.#phases.set(phase, new Set([place]))
    else ends.add(place)
  }

  of(phase: number): readonly number[] {
    return [...(this.#phases.get(phase) ?? [])]
  }

  all(): readonly number[] {
    return [...this.#phases.keys()].flatMap((phase) =>
      this.of(phase).filter((end) => !this.#followedLater.has(end)),
    )
  }
}

/** What a phase waits for: the open ends of the phase before it. */
class Barrier {
  #phase: number | undefined
  #first = 0
  #ends: readonly number[] = []

  enter(phase: number, place: number, open: OpenEnds): void {
    if (phase === this.#phase) return
    this.#ends = this.#phase === undefined ? [] : open.of(this.#phase)
    this.#phase = phase
    this.#first = place
  }

  ends(place: number): readonly number[] {
    return place === this.#first || this.#ends.length <= WIDEST_BARRIER ? this.#ends : [this.#first]
  }
}

/** The last task so far in an area or in one that conflicts with it. */
class NearestInArea {
  readonly #last = new Map<string, number>()
  /** The last task in this area or anywhere below it. */
  readonly #lastWithin = new Map<string, number>()

  add(area: string, place: number): void {
    this.#last.set(area, place)
    for (const parent of withParents(area)) this.#lastWithin.set(parent, place)
  }

  before(area: string): number | undefined {
    const candidates = [
      this.#lastWithin.get(area),
      ...withParents(area).map((parent) => this.#last.get(parent)),
    ]
    const found = candidates.filter((place) => place !== undefined)
    return found.length === 0 ? undefined : Math.max(...found)
  }
}

/** `a/b` → `a/b`, `a`, `.` */
function withParents(area: string): readonly string[] {
  const found: string[] = []
  for (let at = area; at !== '' && at !== EVERYTHING; at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
    found.push(at)
  return [...found, EVERYTHING]
}
