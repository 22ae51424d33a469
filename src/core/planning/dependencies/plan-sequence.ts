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
import { AreaLeaves, Barrier, LeafTasks } from './leaf-tasks.ts'

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
  const phases = phaseNumbers(tasks)
  const open = new LeafTasks()
  const areas = new AreaLeaves()
  const barrier = new Barrier()
  const follows: (readonly number[])[] = []
  const fromOrder = (task: Sequenced, place: number, phase: number): readonly number[] => {
    if (task.verification) return place === tasks.length - 1 ? open.all() : open.of(phase)
    if (task.onlyTests && task.links.length === 0)
      return open.all().filter((end) => tasks[end]?.onlyTests !== true)
    return task.anchored ? [] : areas.before(task.area)
  }
  const fromPhase = (place: number, phase: number, known: readonly number[]): readonly number[] => {
    const gate = barrier.gate((end) => tasks[end]?.verification === true)
    if (gate !== undefined) return known.some((link) => phases[link] === phase) ? [] : [gate]
    return known.length === 0 ? barrier.ends(place) : []
  }
  for (const [place, task] of tasks.entries()) {
    const phase = phases[place] ?? 0
    barrier.enter(phase, place, open)
    const usesOrder = !task.stated && (authorStates === 'none' || task.verification)
    const before = usesOrder ? fromOrder(task, place, phase) : []
    const fromBarrier = usesOrder ? fromPhase(place, phase, [...task.links, ...before]) : []
    const all = withoutImplied(task.links, [...before, ...fromBarrier], follows)
    follows.push(all)
    open.add(place, phase, all)
    areas.add(task.area, place, all)
  }
  return follows
}

export function sequenceSpecKit(tasks: readonly Sequenced[]): readonly (readonly number[])[] {
  const phases = phaseNumbers(tasks)
  const open = new LeafTasks()
  const barrier = new Barrier()
  const follows: (readonly number[])[] = []
  let before: { phase: number; last: number | undefined; beside: number[] } = {
    phase: 0,
    last: undefined,
    beside: [],
  }
  for (const [place, task] of tasks.entries()) {
    const phase = phases[place] ?? 0
    barrier.enter(phase, place, open)
    if (phase !== before.phase) before = { phase, last: undefined, beside: [] }
    const ordered = [
      ...(before.last === undefined ? [] : [before.last]),
      ...(task.parallel ? [] : before.beside),
    ]
    const inPhase = [...task.links, ...ordered].some((link) => phases[link] === phase)
    const more = inPhase ? ordered : [...ordered, ...barrier.ends(place)]
    const all = withoutImplied(task.links, task.stated ? [] : more, follows)
    follows.push(all)
    if (task.parallel) before.beside.push(place)
    else before = { phase, last: place, beside: [] }
    open.add(place, phase, all)
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

/** Numbers phases in order; a phase is one run of tasks under the same heading. */
function phaseNumbers(tasks: readonly Sequenced[]): readonly number[] {
  let number = 0
  return tasks.map((task, place) => {
    const before = tasks[place - 1]
    if (before !== undefined && before.phase !== task.phase) number++
    return number
  })
}
