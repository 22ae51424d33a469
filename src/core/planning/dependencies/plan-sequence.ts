/**
 * Infers dependencies from the order of the document. Authors write tasks in the order of work, so:
 * - a verification follows everything before it in its phase; the last task of the plan, everything before it;
 * - a task that only adds tests follows the sources before it;
 * - a task follows those before it in its area (they cannot run in parallel anyway), unless a file links it to one;
 * - the next phase waits for a verification at the end of a phase;
 * - else a task follows the phase before its own.
 * In Spec Kit a phase waits for the one before it, `[P]` tasks run in parallel, and the others one after another.
 */
import type { Linkable } from './dependencies.ts'
import { areaKey, EVERYTHING, keysConflict } from '../areas.ts'

export interface Sequenced extends Pick<
  Linkable,
  'phase' | 'area' | 'verification' | 'onlyTests' | 'parallel'
> {
  /** The author states its dependencies. */
  readonly stated: boolean
  /** Places of the earlier tasks that files, names and mentions link it to. */
  readonly links: readonly number[]
  /** One of them comes from a file or a parent task, so the order within its area is known. */
  readonly anchored: boolean
}

/**
 * Per task, the places it follows, `links` included. Where the author states dependencies, the order of the document
 * counts only for verifications, which follow what they verify.
 */
export function sequenceByDocument(
  tasks: readonly Sequenced[],
  authorStates: 'some dependencies' | 'none',
): readonly (readonly number[])[] {
  const follows: (readonly number[])[] = []
  const leaves = new Leaves(tasks)
  const fromOrder = (task: Sequenced, place: number, { first }: Phase): readonly number[] => {
    if (task.verification) return place === tasks.length - 1 ? leaves.all() : endsSince(first, follows)
    if (task.onlyTests && task.links.length === 0)
      return leaves.all().filter((end) => tasks[end]?.onlyTests !== true)
    return task.anchored ? [] : leaves.before(place)
  }
  const fromPhase = (place: number, phase: Phase, known: readonly number[]): readonly number[] => {
    const [only, ...others] = phase.ends
    const isGated = only !== undefined && others.length === 0 && tasks[only]?.verification === true
    if (isGated) return known.some((link) => link >= phase.first) ? [] : [only]
    return known.length === 0 ? barrier(place, phase) : []
  }
  let phase: Phase = { first: 0, ends: [] }
  for (const [place, task] of tasks.entries()) {
    phase = phaseAt(place, { tasks, follows, phase })
    const usesOrder = !task.stated && (authorStates === 'none' || task.verification)
    const before = usesOrder ? fromOrder(task, place, phase) : []
    const gates = usesOrder ? fromPhase(place, phase, [...task.links, ...before]) : []
    const all = withoutImplied(task.links, [...before, ...gates], follows)
    follows.push(all)
    leaves.add(place, all)
  }
  return follows
}

export function sequenceSpecKit(tasks: readonly Sequenced[]): readonly (readonly number[])[] {
  const follows: (readonly number[])[] = []
  let phase: Phase = { first: 0, ends: [] }
  /** In the phase: the last task in its order, and those marked `[P]` since then. */
  let last: readonly number[] = []
  let beside: readonly number[] = []
  for (const [place, task] of tasks.entries()) {
    phase = phaseAt(place, { tasks, follows, phase })
    if (place === phase.first) [last, beside] = [[], []]
    const ordered = task.parallel ? last : [...last, ...beside]
    const inPhase = [...task.links, ...ordered].some((link) => link >= phase.first)
    const more = inPhase ? ordered : [...ordered, ...barrier(place, phase)]
    follows.push(withoutImplied(task.links, task.stated ? [] : more, follows))
    if (task.parallel) beside = [...beside, place]
    else [last, beside] = [[place], []]
  }
  return follows
}

/** The links, and those of the others that no other one follows already, in plan order. */
function withoutImplied(
  links: readonly number[],
  more: readonly number[],
  follows: readonly (readonly number[])[],
): readonly number[] {
  const all = new Set([...links, ...more])
  const implied = new Set([...all].flatMap((place) => follows[place] ?? []))
  const kept = new Set([...links, ...more.filter((place) => !implied.has(place))])
  return [...kept].sort((a, b) => a - b)
}

/** One run of tasks under the same heading. */
interface Phase {
  readonly first: number
  /** The tasks of the phase before it that none of that phase follows. */
  readonly ends: readonly number[]
}

/** The phase of a task, when those before it are sequenced. */
function phaseAt(
  place: number,
  {
    tasks,
    follows,
    phase,
  }: {
    readonly tasks: readonly Sequenced[]
    readonly follows: readonly (readonly number[])[]
    readonly phase: Phase
  },
): Phase {
  if (place === 0 || tasks[place - 1]?.phase === tasks[place]?.phase) return phase
  return { first: place, ends: endsSince(phase.first, follows) }
}

/** The places from one on that no later one follows. */
function endsSince(first: number, follows: readonly (readonly number[])[]): readonly number[] {
  const since = follows.slice(first)
  const followed = new Set(since.flat())
  return since.map((_, at) => first + at).filter((place) => !followed.has(place))
}

/** Beyond this many tasks, only the phase's first task waits for the phase before. */
const WIDEST_BARRIER = 100

const barrier = (place: number, { first, ends }: Phase): readonly number[] =>
  place === first || ends.length <= WIDEST_BARRIER ? ends : [first]

/** Tasks that no other one follows so far, and the newest task, of each area. */
class Leaves {
  readonly #areas = new Map<string, { readonly places: Set<number>; newest: number }>()
  readonly #areaOf: (place: number) => string

  constructor(tasks: readonly Sequenced[]) {
    this.#areaOf = (place) => areaKey(tasks[place]?.area ?? EVERYTHING)
  }

  all(): readonly number[] {
    return [...this.#areas.values()].flatMap(({ places }) => [...places])
  }

  /** What a task of this area follows: every conflicting leaf, and the newest conflicting task. */
  before(place: number): readonly number[] {
    const own = this.#areaOf(place)
    const found: number[] = []
    let last = -1
    for (const [area, { places, newest }] of this.#areas) {
      if (!keysConflict(area, own)) continue
      for (const leaf of places) found.push(leaf)
      last = Math.max(last, newest)
    }
    return last === -1 ? found : [...found, last]
  }

  add(place: number, follows: readonly number[]): void {
    for (const earlier of follows) this.#areas.get(this.#areaOf(earlier))?.places.delete(earlier)
    const area = this.#areaOf(place)
    const places = this.#areas.get(area)?.places ?? new Set()
    this.#areas.set(area, { places: places.add(place), newest: place })
  }
}
